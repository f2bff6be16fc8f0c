// Rules broken on purpose, one at a time, in the compiled code. `find` must stand in the file exactly once.
// `catchers` are the specs that must fail; if they pass, all the other specs of the ledger are run.

const decisions = 'libs/ledger/domain/credit-account.spec.js';
const capDecisions = 'libs/ledger/domain/caps.spec.js';
const simulatedCaps = 'test/simulation/caps.spec.js';
const thresholdRules = 'libs/ledger/domain/thresholds.spec.js';
const simulatedThresholds = 'test/simulation/thresholds.spec.js';
const interactionAgents = 'test/api/interaction-agents.spec.js';
const quotes = 'test/api/quotes.spec.js';
const lateQuotes = 'test/api/late-quotes.spec.js';
const accountRequests = 'libs/accounts/domain/top-accounts/account-requests.spec.js';
const commandFollowing = 'test/kernel/command-following.spec.js';
const statements = 'libs/ledger/history/statement.spec.js';
const lots = 'libs/ledger/domain/lots.spec.js';
const yearOfLots = 'test/simulation/lots.spec.js';
const operatorLots = 'test/ops/lots.spec.js';
const openings = 'libs/ledger/domain/import-opening.spec.js';
const simulatedOpenings = 'test/simulation/imported-openings.spec.js';
const operatorImport = 'test/ops/credits-import.spec.js';
const importedOpening = 'test/api/imported-opening.spec.js';
const lotsAtOnce = 'test/simulation/lots-at-once.spec.js';
const recurring = 'libs/ledger/domain/recurring-grants.spec.js';
const forecast = 'libs/ledger/forecast/forecast.spec.js';
const verification = 'libs/ledger/history/verify.spec.js';
const totals = 'libs/ledger/history/spend-totals.spec.js';
const seals = 'libs/ledger/domain/seal.spec.js';
const properties = 'test/simulation/ledger.spec.js';
const moneyPath = 'test/simulation/money-path.spec.js';
const forgetting = 'test/simulation/forgetful-ledger.spec.js';
const races = 'test/simulation/races.spec.js';
const processes = 'test/kernel/concurrent-holds.spec.js';
const commandPath = 'test/kernel/commands.spec.js';
const faults = 'test/kernel/command-faults.spec.js';
const operators = 'test/ops/credits.spec.js';
const operatorLedger = 'test/ops/ledger.spec.js';
const usage = 'test/api/usage.spec.js';
const usagePaging = 'test/api/usage-paging.spec.js';
const runs = 'test/simulation/signal-run-bad-days.spec.js';
const sharedProjecting = 'test/projections/shared-projecting.spec.js';
const killedRuns = 'test/simulation/signal-run-kills.spec.js';
const cancelledRuns = 'test/simulation/cancelled-run-kills.spec.js';
const cancelling = 'libs/signals/domain/runs/cancel-run.spec.js';
const cancelRoute = 'test/api/cancel-signal-run.spec.js';
const signalPrices = 'test/api/signal-prices.spec.js';
const creditHeaders = 'test/api/credit-headers.spec.js';
const projecting = 'test/projections/projecting.spec.js';
const balances = 'projections/ledger/credit-balances/credit-balances.spec.js';
const amounts = 'libs/kernel/values/credits.spec.js';

const accountCharges = 'test/charging/account-charges.spec.js';
const largeMappings = 'test/simulation/large-mappings.spec.js';
const enrichmentEnds = 'test/simulation/enrichment-ends.spec.js';
const enrichmentOutlived = 'test/simulation/enrichment-outlived.spec.js';
const accountEnds = 'test/simulation/account-request-ends.spec.js';
const mappingDays = 'libs/accounts/domain/mappings/mapping-day.spec.js';
const lateRefusals = 'test/api/late-refusal.spec.js';
const submissions = 'libs/accounts/domain/top-accounts/submit-accounts.spec.js';

const unitsSpec = 'projections/monitoring/monitored-units/monitored-units.spec.js';
const monthFacts = 'libs/monitoring/domain/months-facts.spec.js';
const retries = 'libs/monitoring/domain/account-monitoring.spec.js';
const monitoredMonths = 'test/simulation/monitoring-months.spec.js';
const monitoredKills = 'test/simulation/monitoring-kills.spec.js';
const unreadAnswers = 'test/api/unread-answers.spec.js';
const monitoringSummary = 'test/api/monitoring-summary.spec.js';
const monitoredCoverage = 'test/api/monitored-coverage.spec.js';
const accountMonitoring = 'test/api/account-monitoring.spec.js';
const monitoringStops = 'test/api/monitoring-stops.spec.js';
const pipelineStops = 'test/api/pipeline-stops.spec.js';
const monitoringOrder = 'test/api/monitoring-order.spec.js';
const repetitions = 'test/kernel/command-repetitions.spec.js';

/** All specs about the ledger; run in this order when the named ones miss a mutation. */
export const suite = [
  decisions,
  capDecisions,
  simulatedCaps,
  statements,
  verification,
  seals,
  totals,
  amounts,
  balances,
  properties,
  moneyPath,
  races,
  processes,
  commandPath,
  faults,
  operators,
  operatorLedger,
  usage,
  usagePaging,
  runs,
  killedRuns,
  cancelling,
  cancelRoute,
  cancelledRuns,
  signalPrices,
  creditHeaders,
  projecting,
];

const books = 'libs/ledger/domain/books.js';
const caps = 'libs/ledger/domain/caps.js';
const thresholds = 'libs/ledger/domain/thresholds.js';
const limits = 'libs/ledger/domain/limits.js';
const budgets = 'libs/ledger/domain/budgets.js';
const quoteRules = 'libs/signals/launching/quotes.js';
const holds = 'libs/ledger/domain/hold-credits.js';
const postings = 'libs/ledger/domain/post-credits.js';
const settling = 'libs/ledger/domain/settle-credits.js';
const statement = 'libs/ledger/history/statement.js';
const periodWalk = 'libs/ledger/history/walk-period.js';
const groups = 'libs/kernel/commands/settle-group.js';
const deciding = 'libs/kernel/commands/decide-round.js';
const appending = 'libs/kernel/commands/append-patiently.js';
const movementPages = 'apps/api/src/ledger/newest-movements.js';
const memory = 'libs/ledger/domain/ledger-memory.js';
const batches = 'libs/signals/runs/complete-batch.js';
const runCharges = 'libs/signals/runs/run-charges.js';
const charging = 'libs/ledger/charging/charges.js';
const livePasses = 'test/api/live-passes.spec.js';
const launchRules = 'libs/signals/domain/launches/launches.spec.js';
const passesDue = 'projections/signals/monitoring-passes/monitoring-passes.spec.js';
const runProcess = 'libs/signals/runs/execute-signal-run.process.js';
const run = 'libs/signals/domain/runs/signal-run.js';
const cancelDecision = 'libs/signals/domain/runs/cancel-run.js';
const cancelWork = 'libs/signals/launching/cancel-run.js';

const accountPayment = 'libs/accounts/mappings/account-charges.js';
const profilePayment = 'libs/accounts/mappings/profile-charges.js';
const months = 'libs/monitoring/domain/months-facts.js';
const monthCharges = 'libs/monitoring/months.js';
const monitoringGrants = 'test/simulation/monitoring-grants.spec.js';
const monthsBeforePipelines = 'test/simulation/months-before-pipelines.spec.js';
const accountRests = 'test/simulation/top-account-rests.spec.js';
const orderOfArrival = 'test/simulation/order-of-arrival.spec.js';
const topAccountMapping = 'libs/accounts/mappings/map-top-accounts.process.js';
const payMonths = 'libs/monitoring/pay-months.js';
const units = 'projections/monitoring/monitored-units/monitored-units.projection.js';
const summary = 'libs/monitoring/summary.js';
const coverage = 'libs/monitoring/coverage.js';
const coverageRule = 'libs/monitoring/domain/coverage-facts.js';

const accountWork = 'libs/accounts/content-requests/work-account-requests.js';
const stopFence = 'libs/kernel/commands/stop-fence.js';

export const mutations = [
  // Stops, and months that begin together
  {
    name: 'a charge that was prepared before a stop is held',
    file: 'libs/ledger/domain/credit-account.js',
    find: '({ memory }) => memory.preparedAfter',
    replace: '() => 0n',
    catchers: [monitoringStops],
  },
  {
    name: 'a stop is answered before the ledger has its entry',
    file: stopFence,
    find: 'await onStop?.({ stream: queue.stream, workspaceId, context, foundAt: null });',
    replace: '',
    catchers: [repetitions],
  },
  {
    name: 'a repeated stop is answered without an entry in the ledger',
    file: stopFence,
    find: 'const open = queue.openStop();',
    replace: 'const open = null;',
    catchers: [monitoringStops],
  },
  {
    name: 'a month is paid although no list or pick requests it any more',
    file: payMonths,
    find: 'wish.sources.some((source) => isStanding(source, unit.personaId))',
    replace: 'wish.sources.length > 0',
    catchers: [monitoringStops],
  },
  {
    name: 'a mapping is paid although its pipeline was switched off',
    file: accountWork,
    find: "return accountMapping && !isDisabled ? 'on' : 'off';",
    replace: "return 'on';",
    catchers: [pipelineStops],
  },
  {
    name: 'a blocked workspace is charged for running work',
    file: 'libs/accounts/mappings/charge-unless-blocked.js',
    find: "return 'blocked';",
    replace: ';',
    catchers: [pipelineStops],
  },
  {
    name: 'months that start together are paid before all of them are requested',
    file: payMonths,
    find: "openSince === null || (lapsesAt ?? '') < openSince",
    replace: 'true',
    catchers: [monitoringOrder],
  },
  {
    name: 'a mapping is paid before months that are not covered',
    file: accountWork,
    find: 'await monthsFirst(mark);',
    replace: '',
    catchers: [monthsBeforePipelines],
  },
  {
    name: 'a pause of pipelines ignores a grant that was made while they were processed',
    file: topAccountMapping,
    find: 'pauseRequests(worked.waiting, wakes, run.now())',
    replace: 'pauseRequests(worked.waiting, Number.MAX_SAFE_INTEGER, run.now())',
    catchers: [accountRests],
  },
  {
    name: 'pipelines stay paused although one was switched on meanwhile',
    file: topAccountMapping,
    find: 'restRequests(resting, wakes, run.now())',
    replace: 'restRequests(resting, Number.MAX_SAFE_INTEGER, run.now())',
    catchers: [accountRests],
  },
  {
    name: 'a refusal of months ignores a grant that was made before it was recorded',
    file: payMonths,
    find: 'refuseMonths(refused, seen)',
    replace: 'refuseMonths(refused, { wakes: Number.MAX_SAFE_INTEGER, reasons: Number.MAX_SAFE_INTEGER })',
    catchers: [monitoringGrants],
  },
  {
    name: 'requests of a company without an identifier are planned before the read model shows it',
    file: 'libs/accounts/mappings/requestable-accounts.js',
    find: 'if (shown === undefined)',
    replace:
      'if (shown === undefined) return { companyId, index, shown: { pipelineConfigs: [], domain: null, networkHandle: null } }; if (false)',
    catchers: [orderOfArrival],
  },
  {
    name: 'a launch that outlived its reservation is dropped persona by persona',
    file: 'libs/accounts/mappings/finish-launch.js',
    find: 'launch.reservedBy === reservedBy)',
    replace: 'launch.requestId === requestId)',
    catchers: [enrichmentOutlived],
  },
  {
    name: 'a launch for several personas continues without the dropped one',
    file: 'libs/accounts/domain/mappings/mapping-day.js',
    find: 'kept.length < movements.size',
    replace: 'false',
    catchers: [mappingDays],
  },
  {
    name: 'an interrupted start of monitoring is completed with another time',
    file: 'libs/monitoring/begin-together.js',
    find: 'each.beginsAt < first ? each.beginsAt : first',
    replace: 'first',
    catchers: [monitoringOrder],
  },
  {
    name: 'an interrupted start of monitoring is never completed',
    file: 'libs/monitoring/begin-together.js',
    find: 'listId === cause)',
    replace: 'listId === cause && false)',
    catchers: [monitoringOrder],
  },
  {
    name: 'a request with late read models pays the units that it sees',
    file: 'libs/kernel/commands/commands.js',
    find: '{ ...looked, late: true }',
    replace: 'looked',
    catchers: [monitoringOrder],
  },
  {
    name: 'a rebuild of an empty log starts a thread',
    file: 'libs/projection-engine/shared-fill.js',
    find: '(await events.lastEvent()) === null ? null : elsewhere',
    replace: 'elsewhere',
    catchers: ['test/projections/rebuilding-on-a-thread.spec.js'],
  },
  {
    name: 'a server answers writes before they are in its journal',
    file: 'libs/mongodb/open-mongo-database.js',
    find: 'client.options.writeConcern?.wtimeoutMS, true)',
    replace: 'client.options.writeConcern?.wtimeoutMS, false)',
    catchers: ['libs/mongodb/durable-database.spec.js'],
  },
  {
    name: 'each call of a turn is sent to the server separately',
    file: 'libs/mongodb/together.js',
    find: 'gathering ??= gather();',
    replace: 'gathering = gather();',
    catchers: ['libs/mongodb/together.spec.js'],
  },
  // What may be spent
  {
    name: 'held credits still count as available',
    file: books,
    find: 'return granted(books) - held - captured;',
    replace: 'return granted(books) - captured;',
    catchers: [moneyPath],
  },
  {
    name: 'captured credits count as available again',
    file: books,
    find: 'return granted(books) - held - captured;',
    replace: 'return granted(books) - held;',
    catchers: [moneyPath],
  },
  {
    name: 'a hold of exactly the available credits is refused',
    file: holds,
    find: 'if (shortage === null && next.credits > free) {',
    replace: 'if (shortage === null && next.credits >= free) {',
    catchers: [properties, decisions],
  },
  {
    name: 'a batch ignores the credits of its own first holds',
    file: holds,
    find: 'free -= next.credits;',
    replace: '',
    catchers: [moneyPath],
  },
  {
    name: 'a cheaper item after the first uncovered one is held',
    file: holds,
    find: 'if (shortage === null && next.credits > free) {',
    replace: 'shortage = null; if (next.credits > free) {',
    catchers: [moneyPath],
  },
  {
    name: 'a recurring grant is made although it has expired',
    file: 'libs/ledger/domain/recurring-grants.js',
    find: 'if (expiresAt !== null && expiresAt <= at)',
    replace: 'if (false)',
    catchers: [recurring],
  },
  {
    name: 'a recurring grant is added again with the same key',
    file: 'libs/ledger/domain/recurring-grants.js',
    find: 'if (earlier !== null)\n        return requireSame(earlier, wanted, beginsNow);',
    replace: '',
    catchers: [recurring],
  },
  {
    name: 'the key of an ended recurring grant is forgotten',
    file: 'libs/ledger/domain/recurring-rules.js',
    find: 'over.set(rule.key, rule);',
    replace: '',
    catchers: [recurring],
  },
  {
    name: 'held credits do not count for the ceiling of a recurring grant',
    file: 'libs/ledger/domain/recurring-grants.js',
    find: 'inUse += lot.free + lot.held;',
    replace: 'inUse += lot.free;',
    catchers: [recurring],
  },
  {
    name: 'several grants of one command do not share the ceiling of their rule',
    file: 'libs/ledger/domain/recurring-grants.js',
    find: 'remaining.ceiling -= credits;',
    replace: '{}',
    catchers: [recurring],
  },
  {
    name: 'a month that begins on the 31st runs over the end of a shorter month',
    file: 'libs/kernel/values/calendar-months.js',
    find: 'Math.min(anchorDay, lastDay)',
    replace: 'anchorDay',
    catchers: [recurring],
  },
  {
    name: 'a forecast spends credits that have expired',
    file: 'libs/ledger/forecast/forecast.js',
    find: 'rests = rests.filter((rest) => !over.includes(rest));',
    replace: '',
    catchers: [forecast],
  },
  {
    name: 'a hold of exactly the rest under a cap is refused',
    file: caps,
    find: 'spentOf(cap) + credits > cap.limit',
    replace: 'spentOf(cap) + credits >= cap.limit',
    catchers: [capDecisions],
  },
  {
    name: 'a batch ignores its own first holds under a cap',
    file: caps,
    find: 'taken.set(cap.id, (taken.get(cap.id) ?? 0n) + credits);',
    replace: '{}',
    catchers: [capDecisions, simulatedCaps],
  },
  {
    name: 'a cap keeps its count when its period has ended',
    file: caps,
    find: 'counted?.from === periodStart(period, at) ? counted.spent : 0n',
    replace: 'counted?.spent ?? 0n',
    catchers: [capDecisions, simulatedCaps],
  },
  {
    name: 'a release does not lower the count of its cap',
    file: caps,
    find: 'spent: counted.spent - credits',
    replace: 'spent: counted.spent',
    catchers: [capDecisions, simulatedCaps],
  },
  {
    name: 'a release lowers the count of a later period',
    file: caps,
    find: ' || periodStart(period, heldAt) !== from',
    replace: '',
    catchers: [capDecisions, simulatedCaps],
  },
  {
    name: 'the cap of a key counts the requests of all keys',
    file: caps,
    find: 'return cause.keyId === scopeId;',
    replace: 'return true;',
    catchers: [capDecisions],
  },
  {
    name: 'a snapshot omits the counts of caps',
    file: limits,
    find: 'limits.caps.set(cap.id, { ...cap, limit: fromStored(cap.limit), counted });',
    replace: 'limits.caps.set(cap.id, { ...cap, limit: fromStored(cap.limit), counted: null });',
    catchers: [capDecisions],
  },
  {
    name: 'a threshold is reported again at each entry below it',
    file: thresholds,
    find: "setState(marks, nameOf(credits, days), 'told');",
    replace: '{}',
    catchers: [thresholdRules, simulatedThresholds],
  },
  {
    name: 'a threshold is armed again by a grant that ends below it',
    file: thresholds,
    find: 'else if (isAbove(mark, balance))',
    replace: 'else',
    catchers: [thresholdRules, simulatedThresholds],
  },
  {
    name: 'a threshold is reported only when the balance is below it',
    file: thresholds,
    find: 'balance > mark.threshold',
    replace: 'balance >= mark.threshold',
    catchers: [thresholdRules, simulatedThresholds],
  },
  {
    name: 'an expiry that crosses a threshold reports nothing',
    file: 'libs/kernel/commands/decide-round.js',
    find: 'return [...made, ...foldFollowing(on, DUE.correlationId, recordedAt)];',
    replace: 'return made;',
    catchers: [commandFollowing],
  },
  {
    name: 'a batch ignores its own first holds under the budget',
    file: holds,
    find: 'left -= next.credits;',
    replace: '{}',
    catchers: [capDecisions],
  },
  {
    name: 'a quote is the budget of every launch that names it',
    file: budgets,
    find: 'if (isSpentElsewhere(budgets, budget))',
    replace: 'if (false)',
    catchers: [capDecisions],
  },
  {
    name: 'a quote counts findings of the last launch as new while read models are late',
    file: 'libs/signals/quoting/quote-launch.js',
    find: 'if (position !== null)',
    replace: 'if (false)',
    catchers: [lateQuotes],
  },
  {
    name: 'a quote is valid for another body',
    file: quoteRules,
    find: "[quote.body !== bodyDigest(body), 'it was made for another body'],",
    replace: '',
    catchers: [quotes],
  },
  {
    name: 'a quote outlives its price',
    file: quoteRules,
    find: "[quote.madeOf.prices !== now.prices, 'the price has changed'],",
    replace: '',
    catchers: [quotes],
  },
  {
    name: 'a quote outlives its persona',
    file: quoteRules,
    find: "[quote.madeOf.persona !== now.persona, 'the persona has changed'],",
    replace: '',
    catchers: [quotes],
  },
  {
    name: 'a quote is valid after its 15 minutes',
    file: quoteRules,
    find: "[quote.expiresAt <= clock.toISOString(), 'it has expired'],",
    replace: '',
    catchers: [quotes],
  },
  {
    name: 'a quote ignores the caps',
    file: 'libs/ledger/domain/spendable.js',
    find: '[paid, ...remaining].reduce',
    replace: '[paid].reduce',
    catchers: [quotes],
  },
  {
    name: 'a quote counts a person once per signal',
    file: 'libs/signals/quoting/quote-launch.js',
    find: 'BigInt(counted.charges) * price',
    replace: 'BigInt(counted.priced) * price',
    catchers: [interactionAgents],
  },
  {
    name: 'a launch with a quote is limited only by the balance',
    file: 'libs/signals/launching/launch.js',
    find: 'quote === null ? request.maxCredits : (quote.quote.creditsAtMost ?? 0n)',
    replace: 'request.maxCredits',
    catchers: [quotes],
  },
  {
    name: 'a launch with a quote of an exempt workspace charges the present payer',
    file: 'libs/signals/launching/launch.js',
    find: 'if (await isBilled(host.commands, workspaceId))',
    replace: 'if (false)',
    catchers: [quotes],
  },
  {
    name: 'top accounts that a cap has paused are shown as lacking credits',
    file: 'libs/accounts/domain/top-accounts/account-requests.js',
    find: "by === 'cap' ? { pausedBy: by } : {}",
    replace: '{}',
    catchers: [accountRequests],
  },
  {
    name: 'a launch that has ended has its budget again',
    file: budgets,
    find: 'isClosed ? 0n : ',
    replace: '',
    catchers: [capDecisions],
  },
  {
    name: 'a refusal is counted as a movement',
    file: holds,
    find: 'refused.push(next);',
    replace: 'refused.push(next); holds.push(next);',
    catchers: [moneyPath],
  },
  {
    name: 'a lot can be spent in the instant in which it ends',
    file: 'libs/ledger/domain/lots.js',
    find: 'expiresAt !== null && expiresAt <= at && free > 0n',
    replace: 'expiresAt !== null && expiresAt < at && free > 0n',
    catchers: [lots],
  },
  {
    name: 'credits that return to an expired lot stay',
    file: 'libs/ledger/domain/lots.js',
    find: 'expiresAt === undefined || expiresAt > at',
    replace: 'true',
    catchers: [lots, yearOfLots],
  },
  {
    name: 'paid credits are spent before promotional ones',
    file: 'libs/ledger/domain/lots.js',
    find: 'Number(right.promotional) - Number(left.promotional)',
    replace: 'Number(left.promotional) - Number(right.promotional)',
    catchers: [lots, yearOfLots],
  },
  {
    name: 'expired credits still count as granted',
    file: books,
    find: 'books.adjustments - (books.expired ?? 0n)',
    replace: 'books.adjustments',
    catchers: [lots, yearOfLots],
  },
  // Openings
  {
    name: 'an opening is imported after a grant',
    file: 'libs/ledger/domain/import-opening.js',
    find: 'grants !== undone ||',
    replace: '',
    catchers: [openings, simulatedOpenings],
  },
  {
    name: 'a second file is imported beside the first',
    file: 'libs/ledger/domain/import-opening.js',
    find: 'openings.current !== null ||',
    replace: '',
    catchers: [openings],
  },
  {
    name: 'a hold that a partner pays does not count as a movement before an opening',
    file: 'libs/ledger/domain/import-opening.js',
    find: 'accounts.size > 0 ||',
    replace: '',
    catchers: [openings],
  },
  {
    name: 'a file that was reversed is imported again',
    file: 'libs/ledger/domain/import-opening.js',
    find: 'throw openingReversed();',
    replace: ';',
    catchers: [openings],
  },
  {
    name: 'an opening is reversed while a part of it is on hold',
    file: 'libs/ledger/domain/import-opening.js',
    find: 'held === 0n &&',
    replace: '',
    catchers: [openings],
  },
  {
    name: 'an opening is reversed once its lot has expired',
    file: 'libs/ledger/domain/import-opening.js',
    find: 'lots.length === opening.lots.length &&',
    replace: '',
    catchers: [openings],
  },
  {
    name: 'a charge that was prepared before the opening is held after it',
    file: 'libs/ledger/charging/charges.js',
    find: 'opening !== null && opening.hash !== elsewhere.hash && wanted.some(hasSubjects)',
    replace: 'false',
    catchers: [simulatedOpenings],
  },
  {
    name: 'paid subjects take effect before the entry of the opening',
    file: 'libs/ledger/charging/paid-elsewhere.js',
    find: 'if (opening === null)\n        return new Set();',
    replace: 'if (opening === null) return new Set(subjects);',
    catchers: [simulatedOpenings],
  },
  {
    name: 'a subject that was paid for one agent is free for all agents',
    file: 'libs/ledger/charging/paid-elsewhere.js',
    find: 'return agentId === whose.agentId;',
    replace: 'return true;',
    catchers: [importedOpening],
  },
  {
    name: 'a run detects a subject that was paid elsewhere',
    file: 'libs/signals/detection/earlier-launches.js',
    find: 'new Set([...detected, ...paid])',
    replace: 'new Set(detected)',
    catchers: [importedOpening],
  },
  {
    name: 'a person who was paid for elsewhere is charged again',
    file: 'libs/signals/detection/earlier-launches.js',
    find: ' || paid.has(subjectOf(person))',
    replace: '',
    catchers: [importedOpening],
  },
  {
    name: 'a month that was paid elsewhere is charged',
    file: 'libs/monitoring/months-elsewhere.js',
    find: 'if (until <= from)',
    replace: 'if (true)',
    catchers: [importedOpening],
  },
  {
    name: 'an opening exceeds its closing',
    file: 'libs/ledger/commands/opening-file.js',
    find: 'if (parseCredits(declared.credits) !== credits)',
    replace: 'if (false)',
    catchers: [operatorImport],
  },
  {
    name: 'a hold takes from a lot out of order while others write',
    file: 'libs/ledger/domain/lots.js',
    find: 'left.priority - right.priority ||',
    replace: '',
    catchers: [lotsAtOnce, lots],
  },
  {
    name: 'a balance counts expired credits whose expiry is not recorded yet',
    file: 'projections/ledger/credit-balances/credit-balances.projection.js',
    find: 'expiresAt <= now ? sum + fromStored(credits) : sum',
    replace: 'sum',
    catchers: [operatorLots],
  },
  {
    name: 'a withdrawal can take held credits',
    file: postings,
    find: 'const free = available(books);',
    replace: 'const free = granted(books);',
    catchers: [moneyPath],
  },
  // Keys
  {
    name: 'the key of a charge is dropped',
    file: holds,
    find: 'account.charges.byKey.get(next.key) ?? seen.get(next.key);',
    replace: 'seen.get(next.key);',
    catchers: [moneyPath],
  },
  {
    name: 'a key twice in one batch is two movements',
    file: holds,
    find: 'account.charges.byKey.get(next.key) ?? seen.get(next.key);',
    replace: 'account.charges.byKey.get(next.key);',
    catchers: [moneyPath],
  },
  {
    name: 'a replay answers with the newly allocated movement',
    file: holds,
    find: 'return { key, movementId: charge.movementId, status: charge.status, replayed };',
    replace: 'return { key, movementId, status: charge.status, replayed };',
    catchers: [moneyPath],
  },
  {
    name: 'a used key with another amount counts as a replay',
    file: holds,
    find: 'if (earlier.credits !== wanted.credits) {',
    replace: 'if (earlier.credits === -1n) {',
    catchers: [moneyPath],
  },
  {
    name: 'a used key for another product counts as a replay',
    file: holds,
    find: 'if (earlier.product !== wanted.product) {',
    replace: "if (earlier.product === '') {",
    catchers: [moneyPath],
  },
  {
    name: 'the key of a grant is ignored',
    file: postings,
    find: 'if (wanted.key === undefined)',
    replace: 'if (wanted.key !== null)',
    catchers: [moneyPath],
  },
  {
    name: 'a withdrawal with the key of a grant counts as a replay',
    file: postings,
    find: 'if (earlier.kind !== kind) {',
    replace: "if (earlier.kind === '') {",
    catchers: [moneyPath, operators],
  },
  // Ends of movements
  {
    name: 'a released movement can be captured',
    file: settling,
    find: "if (now !== 'held')",
    replace: "if (now === 'captured')",
    catchers: [moneyPath],
  },
  {
    name: 'a captured movement can be released',
    file: settling,
    find: "if (now !== 'held')",
    replace: "if (now === 'released')",
    catchers: [moneyPath],
  },
  {
    name: 'a second capture is refused',
    file: settling,
    find: 'if (now === status)',
    replace: "if (now === status && status === 'released')",
    catchers: [moneyPath],
  },
  {
    name: 'an expired hold is kept',
    file: settling,
    find: '.filter(({ heldAt }) => heldAt < heldBefore)',
    replace: '.filter(() => false)',
    catchers: [races],
  },
  {
    name: 'a sweep releases holds that have not expired',
    file: settling,
    find: '.filter(({ heldAt }) => heldAt < heldBefore)',
    replace: '.filter(() => true)',
    catchers: [moneyPath],
  },
  {
    name: 'a sweep releases a hold that was just captured',
    file: settling,
    find: '.flatMap((movementId) => account.books.openHolds.get(movementId) ?? [])',
    replace:
      ".flatMap((movementId) => account.charges.byMovement.get(movementId) ?? []).map((charge) => ({ ...charge, heldAt: '' }))",
    catchers: [races],
  },
  // Who pays
  {
    name: 'the payer of a movement is forgotten',
    file: holds,
    find: 'credits: toStored(credits), product, payer, cause }',
    replace: "credits: toStored(credits), product, payer: 'workspace', cause }",
    catchers: [moneyPath],
  },
  {
    name: 'payments of a partner reduce the balance of the workspace',
    file: books,
    find: 'charge(books, payer, credits, 0n);',
    replace: "charge(books, 'workspace', credits, 0n);",
    catchers: [moneyPath],
  },
  {
    name: 'a capture is charged to the present payer',
    file: books,
    find: 'charge(books, hold.payer, 0n, hold.credits);',
    replace:
      "charge(books, books.billing.mode === 'partner' ? `partner:${books.billing.partnerId}` : 'workspace', 0n, hold.credits);",
    catchers: [moneyPath],
  },
  {
    name: 'an exempt workspace gets movements',
    file: holds,
    find: "case 'exempt':\n            return null;",
    replace: "case 'exempt':\n            return 'workspace';",
    catchers: [moneyPath],
  },
  {
    name: 'a partner-paid hold is refused for lack of credits',
    file: holds,
    find: "payer === 'workspace' ? available(account.books) : headroom(account, payer)",
    replace: 'available(account.books)',
    catchers: [moneyPath],
  },
  // Exact numbers
  {
    name: 'a float in a sum',
    file: 'libs/ledger/history/spend-totals.js',
    find: '(totals.get(name) ?? 0n) + credits',
    replace: 'BigInt(Math.trunc((Number(totals.get(name) ?? 0n) / 1e6 + Number(credits) / 1e6) * 1e6))',
    catchers: [totals],
  },
  {
    name: 'an input amount is a float',
    file: 'libs/kernel/values/credits.js',
    find: "BigInt(whole) * MICROS_PER_CREDIT + BigInt(fraction.padEnd(6, '0'))",
    replace: 'BigInt(Math.trunc(Number(`${whole}.${fraction}`) * 1e6))',
    catchers: [amounts],
  },
  {
    name: 'an output amount is a float',
    file: 'libs/kernel/values/credits.js',
    find: 'micros / MICROS_AS_NUMBER',
    replace: 'micros * 0.000001',
    catchers: [amounts],
  },
  {
    name: 'an amount of exactly the limit is refused',
    file: 'libs/kernel/values/credits.js',
    find: 'if (micros > MAX_CREDITS)',
    replace: 'if (micros >= MAX_CREDITS)',
    catchers: [amounts],
  },
  {
    name: 'a total one over the limit is granted',
    file: postings,
    find: 'if (granted(account.books) + credits > MAX_CREDITS) {',
    replace: 'if (granted(account.books) + credits > MAX_CREDITS + 1n) {',
    catchers: [decisions],
  },
  {
    name: 'a total of exactly the limit is refused',
    file: postings,
    find: 'if (granted(account.books) + credits > MAX_CREDITS) {',
    replace: 'if (granted(account.books) + credits >= MAX_CREDITS) {',
    catchers: [decisions],
  },
  // Time, chain, statement
  {
    name: 'recording times may decrease',
    file: deciding,
    find: 'now > lastRecordedAt ? now : lastRecordedAt',
    replace: 'now',
    catchers: [moneyPath],
  },
  {
    name: 'the hash chain omits the actor',
    file: 'libs/ledger/domain/seal.js',
    find: "const metadata = 'hash' in entry.metadata ? withoutSeal(entry.metadata) : entry.metadata;",
    replace: 'const { hash: _own, actorId: _actor, ...metadata } = entry.metadata;',
    catchers: [seals, verification],
  },
  {
    name: 'the hash of an entry ignores the entry before',
    file: 'libs/ledger/domain/seal.js',
    find: '`${previousHash}\\n${canonicalJson(sealed)}`',
    replace: 'canonicalJson(sealed)',
    catchers: [seals, verification],
  },
  {
    name: 'the group is sealed with the hash before the group',
    file: deciding,
    find: 'hash = decider.seal(hash, {',
    replace: 'hash = decider.seal(headHash, {',
    catchers: [moneyPath],
  },
  {
    name: 'the state as of a time includes that time',
    file: 'libs/ledger/history/moment.js',
    find: 'recordedAtOf(entry) >= at)',
    replace: 'recordedAtOf(entry) > at)',
    catchers: [statements, properties],
  },
  {
    name: 'the state as of a revision excludes that revision',
    file: 'libs/ledger/history/moment.js',
    find: 'entry.revision > revision;',
    replace: 'entry.revision >= revision;',
    catchers: [statements, operatorLedger],
  },
  {
    name: 'the opening of a statement is off by one row',
    file: periodWalk,
    find: 'if (!isOpen && (from === null || at >= from))',
    replace: 'if (!isOpen && (from === null || at > from))',
    catchers: [statements, properties],
  },
  {
    name: 'a statement includes the first row of the next',
    file: periodWalk,
    find: '(to !== null && at >= to)',
    replace: '(to !== null && at > to)',
    catchers: [statements, properties],
  },
  {
    name: 'a capture changes the running balance a second time',
    file: statement,
    find: "movementLine('capture', ended, 0n, ended.credits)",
    replace: "movementLine('capture', ended, -ended.credits, ended.credits)",
    catchers: [properties],
  },
  // The command path
  {
    name: 'a response is sent before the append',
    file: groups,
    find: 'const { position } = await whileAppending(',
    replace:
      'answerDecided(this.on, outcomes.filter(({ kind }) => kind === "done"), new Set(), memory.position); const { position } = await whileAppending(',
    catchers: [moneyPath],
  },
  {
    name: 'a speculative refusal is answered immediately',
    file: deciding,
    find: "outcomes.push({ pending, kind: 'failed', error });\n            continue;",
    replace:
      "{ pending.reject(error); outcomes.push({ pending, kind: 'failed', error }); }\n            continue;",
    catchers: [moneyPath],
  },
  {
    name: 'a refusal from a cached state is answered without reading the tail',
    file: groups,
    find: 'const moved = !this.isProven && (await this.refresh());',
    replace: 'const moved = false;',
    catchers: [moneyPath],
  },
  {
    name: 'after a revision conflict the own command is not searched',
    file: groups,
    find: 'this.answerFound((await memory.readTail(this.ownEvents(expected))).events);',
    replace: 'await memory.readTail();',
    catchers: [moneyPath, commandPath],
  },
  {
    name: 'a repeated command of unknown outcome is not searched',
    file: groups,
    find: 'if (doubtfulAfter !== null) {',
    replace: 'if (doubtfulAfter === undefined) {',
    catchers: [commandPath, faults],
  },
  {
    name: 'after a revision conflict the same events are appended at the present revision',
    file: appending,
    find: 'if (!(error instanceof StoreUnavailable))\n                throw error;',
    replace:
      "if (error.name === 'WrongExpectedRevision') { expected = error.actual === 'no-stream' ? -1n : error.actual; continue; }\n if (!(error instanceof StoreUnavailable)) throw error;",
    catchers: [moneyPath],
  },
  {
    name: 'a lost acknowledgement counts as a failure',
    file: appending,
    find: 'if (attempt + 1 >= tries ||',
    replace: 'if (attempt + 1 >= 1 ||',
    catchers: [commandPath, faults],
  },
  {
    name: 'the state of a failed append is kept',
    file: 'libs/kernel/commands/stream-memory.js',
    find: 'back();\n            this.revision = revision;',
    replace: 'this.revision = revision;',
    catchers: [moneyPath, forgetting],
  },
  {
    name: 'a state in memory counts as current without its last event',
    file: 'libs/kernel/commands/stream-memory.js',
    find: 'return this.loaded && this.revision === end.revision && this.headId === end.id;',
    replace: 'return this.loaded;',
    catchers: [commandPath],
  },
  {
    name: 'the state of a revision conflict is kept',
    file: groups,
    find: 'rewind();\n            if (error instanceof WrongExpectedRevision)',
    replace:
      'if (!(error instanceof WrongExpectedRevision)) rewind();\n            if (error instanceof WrongExpectedRevision)',
    catchers: [moneyPath],
  },
  {
    name: 'an index that is behind the snapshot is used',
    file: memory,
    find: 'position < forgotten.position',
    replace: 'false',
    catchers: [forgetting],
  },
  {
    name: 'ended movements are forgotten by the time of their hold',
    file: 'libs/ledger/domain/charges.js',
    find: '{ ...charge, status, changedAt }',
    replace: '{ ...charge, status }',
    catchers: [forgetting],
  },
  {
    name: 'open holds are forgotten',
    file: memory,
    find: "status === 'held' || !isOld(changedAt)",
    replace: '!isOld(changedAt)',
    catchers: [forgetting],
  },
  {
    name: 'a month is sealed before it is over',
    file: 'libs/ledger/domain/close-month.js',
    find: 'endOfMonth(month) > now',
    replace: 'false',
    catchers: ['libs/ledger/domain/close-month.spec.js'],
  },
  {
    name: 'a recorded detection is released when its hold expires',
    file: settling,
    find: 'recorded?.has(hold.movementId) === true',
    replace: 'false',
    catchers: ['test/simulation/hold-expiry.spec.js'],
  },
  {
    name: 'an index that is ahead of the state in memory is used',
    file: groups,
    find: 'if (recalled !== null)\n                await this.refresh();',
    replace: '',
    catchers: [moneyPath],
  },
  {
    name: 'two processes reserve the same ids',
    file: 'libs/kernel/commands/ids.js',
    find: 'last: first + size - 1 };',
    replace: 'last: first - 1 };',
    catchers: [moneyPath],
  },
  // Read models and the API
  {
    name: 'an event that is delivered twice is folded twice',
    file: 'libs/projection-engine/slice.js',
    find: 'if (position >= recorded.position)',
    replace: 'if (false)',
    catchers: [projecting],
  },
  {
    name: 'the held sum of the balance is not reduced by a release',
    file: 'projections/ledger/credit-balances/credit-balances.projection.js',
    find: 'const held = plus(balance.held, -ownCredits(balance, end));',
    replace: 'const { held } = balance;',
    catchers: [balances],
  },
  {
    name: 'a payment of a partner lowers the balance when it ends',
    file: 'projections/ledger/credit-balances/credit-balances.projection.js',
    find: "payer === 'workspace' ? fromStored(credits) : 0n",
    replace: 'fromStored(credits)',
    catchers: [balances],
  },
  {
    name: 'the cursor is off by one row',
    file: movementPages,
    find: 'cursors.encode(scope, { keys: [last.createdAt, last.id] })',
    replace: 'cursors.encode(scope, { keys: [last.createdAt, last.id + 1] })',
    catchers: [usagePaging],
  },
  {
    name: 'the cursor forgets rows of the same moment',
    file: movementPages,
    find: 'cursors.encode(scope, { keys: [last.createdAt, last.id] })',
    replace: 'cursors.encode(scope, { keys: [last.createdAt, 0] })',
    catchers: [usagePaging],
  },
  {
    name: 'date_to of usage is inclusive',
    file: 'apps/api/src/ledger/usage/list-usage.query.js',
    find: '{ lt: to }',
    replace: '{ lte: to }',
    catchers: [usage],
  },
  // Paid runs
  {
    name: 'a run without credits asks for credits again',
    file: runCharges,
    find: 'if (!dry) {',
    replace: 'if (true) {',
    catchers: [runs, killedRuns],
  },
  {
    name: 'a batch is captured before it is recorded',
    file: batches,
    find: 'const dropped = candidates.length - kept.length;',
    replace:
      'const { settleCharges } = await import("#ledger/charging/charges.js"); await settleCharges(host, { workspaceId: run.work.workspaceId, context: run.context }, `batch:${batch}:early`, { capture: [...paid.values()].filter((movementId) => movementId !== null) }); const dropped = candidates.length - kept.length;',
    catchers: [runs, killedRuns],
  },
  {
    name: 'a dropped match is recorded',
    file: charging,
    find: "if (status === 'refused' || status === 'released')",
    replace: "if (status === 'released')",
    catchers: [runs, killedRuns],
  },
  // Live passes
  {
    name: 'a live pass counts as the daily pass',
    file: 'libs/signals/domain/launches/launch.events.js',
    find: "trigger === 'monitoring' && live === undefined",
    replace: "trigger === 'monitoring'",
    catchers: [launchRules, passesDue],
  },
  {
    name: 'a live pass starts during a run of its agent or setup',
    file: 'libs/signals/domain/launches/launches.js',
    find: '!enabled || running.length > 0 || live.running.length > 0',
    replace: '!enabled',
    catchers: [launchRules],
  },
  {
    name: 'a run searches during a live pass of its agent or setup',
    file: runProcess,
    find: 'const work = await behindLivePass(host, due, signal);',
    replace: 'const work = due;',
    catchers: [livePasses],
  },
  {
    name: 'a live pass is made although it would record nothing',
    file: 'libs/signals/live/launch-live-pass.js',
    find: 'if (!(await findsSomething(host, source, request, live, signal)))',
    replace: 'if (false)',
    catchers: [livePasses],
  },
  // Cancelled runs
  {
    name: 'a cancelled run starts its next batch',
    file: runProcess,
    find: 'return CANCELLED;',
    replace: 'return null;',
    catchers: [cancelledRuns, cancelRoute],
  },
  {
    name: 'a batch is prepared after its run was cancelled',
    file: run,
    find: 'run.cancelled || ',
    replace: '',
    catchers: [cancelling],
  },
  {
    name: 'a run that is cancelled during its last batch counts as completed',
    file: run,
    find: 'run.cancelled ? CANCELLED : ',
    replace: '',
    catchers: [cancelling, cancelledRuns],
  },
  {
    name: 'a run that has ended is cancelled',
    file: cancelDecision,
    find: 'if (isTerminal(run))',
    replace: 'if (false)',
    catchers: [cancelling, cancelRoute],
  },
  {
    name: 'a run of another workspace is cancelled',
    file: cancelWork,
    find: 'if (ownedBy(workspaceId, known) === null)',
    replace: 'if (known === null)',
    catchers: [cancelRoute],
  },
  // Mappings of companies and accounts
  {
    name: 'the people of a mapping are paid all together or not at all',
    file: profilePayment,
    find: "unpaid.map(chargeOf), 'prefix')",
    replace: "unpaid.map(chargeOf), 'all')",
    catchers: [largeMappings],
  },
  {
    name: 'the paid people of a mapping are not the first by lead id',
    file: 'libs/accounts/mappings/analyse-company.js',
    find: '.toSorted((one, other) => one.leadId - other.leadId)',
    replace: '.toSorted((one, other) => other.leadId - one.leadId)',
    catchers: [largeMappings],
  },
  {
    name: 'a person of a mapping is paid for by each request of a day',
    file: profilePayment,
    find: 'key: `profile:${companyId}:${requestDate}:${personRef}:${attempt}`',
    replace: 'key: `profile:${requestId}:${personRef}:${attempt}`',
    catchers: [accountCharges],
  },
  {
    name: 'the mapping of an account that is not covered keeps its first holds',
    file: accountPayment,
    find: 'await settleRequest(host, work, analysis.requestId, new Set());',
    replace: '',
    catchers: [accountCharges],
  },
  {
    name: 'a released hold for the mapping of an account counts as payment',
    file: accountPayment,
    find: "const released = paidFor.filter((ref) => of(ref)?.status === 'released');",
    replace: 'const released = [];',
    catchers: [accountCharges],
  },
  {
    name: 'a mapping is launched twice for one persona and day',
    file: 'libs/accounts/domain/mappings/mapping-day.js',
    find: "if (earlier?.status === 'launched' && reason === undefined)",
    replace: 'if (false)',
    catchers: [mappingDays],
  },
  {
    name: 'a mapping that was completed today is launched again',
    file: 'libs/accounts/mappings/launch-mappings.js',
    find: 'outcome !== null && PASSING.has(outcome)',
    replace: 'outcome !== null',
    catchers: [enrichmentEnds],
  },
  {
    name: 'the launch of a mapping that failed is kept',
    file: 'libs/accounts/mappings/map-company.process.js',
    find: 'isCompleted ? state.movementId : null',
    replace: 'state.movementId',
    catchers: [enrichmentEnds],
  },
  {
    name: 'a failed mapping continues to record',
    file: 'libs/accounts/domain/mappings/mapping.js',
    find: 'if (state.fenced.has(requestId))',
    replace: 'if (false)',
    catchers: [enrichmentEnds, accountEnds],
  },
  {
    name: 'a day in a blocked workspace fails its suspended mapping',
    file: 'libs/ledger/charging/release-expired-holds.process.js',
    find: 'restsWhileBlocked: true,',
    replace: '',
    catchers: [enrichmentEnds, accountEnds],
  },
  {
    name: 'the company of a mapping that was refused late is shown',
    file: 'projections/identities/companies/companies.projection.js',
    find: 'event.data.provisional === true ? NOBODY : ',
    replace: '',
    catchers: [lateRefusals],
  },
  // The quota of top accounts
  {
    name: 'earlier submissions do not count against the quota',
    file: 'libs/accounts/domain/top-accounts/submit-accounts.js',
    find: 'Math.max(0, quota - acceptedAccounts)',
    replace: 'quota',
    catchers: [submissions],
  },
  {
    name: 'an account that was submitted before counts against the quota again',
    file: 'libs/accounts/domain/top-accounts/submit-accounts.js',
    find: '!keys.has(name) && ',
    replace: '',
    catchers: [submissions],
  },
  // Monitored accounts
  {
    name: 'the key of a monitored month omits the business unit',
    file: months,
    find: '`monitoring:${companyId}:${personaId}:${calendarMonth}`',
    replace: '`monitoring:${companyId}:${calendarMonth}`',
    catchers: [monitoredMonths],
  },
  {
    name: 'a monitored month that begins on the 31st loses its day',
    file: months,
    find: 'anchorDay === null ? monthFrom(lapsesAt) : monthFrom(lapsesAt, anchorDay)',
    replace: 'monthFrom(lapsesAt)',
    catchers: [monthFacts, monitoredMonths],
  },
  {
    name: 'a monitored month that was refused begins where the last one ended',
    file: months,
    find: 'wasRefused || isLate',
    replace: 'isLate',
    catchers: [monthFacts, monitoredMonths],
  },
  {
    name: 'missed monitored months are all charged',
    file: months,
    find: 'wasRefused || isLate',
    replace: 'wasRefused',
    catchers: [monthFacts, monitoredKills],
  },
  {
    name: 'a monitored month that another worker has paid later is paid again',
    file: monthCharges,
    find: 'calendarMonthsBetween(lapsesAt, month.until)',
    replace: 'calendarMonthsBetween(lapsesAt, month.from)',
    catchers: [monitoredKills],
  },
  {
    name: 'a paid monitored month is not searched in the ledger',
    file: 'libs/ledger/charging/charge-in-advance.js',
    find: '!isPaid(account, paidAs)',
    replace: 'true',
    catchers: [monitoredKills],
  },
  {
    name: 'starting again within a paid month of a monitored account charges',
    file: coverageRule,
    find: 'coveredUntil !== null && coveredUntil >= wantedSince ? coveredUntil : wantedSince',
    replace: 'wantedSince',
    catchers: [monitoredMonths],
  },
  {
    name: 'a stopped monitored account loses its paid month',
    file: units,
    find: 'stoppedAt: data.unwantedAt,',
    replace: 'stoppedAt: data.unwantedAt, coveredUntil: null,',
    catchers: [monitoredMonths],
  },
  {
    name: 'a monitored account that was paid meanwhile is refused',
    file: units,
    find: 'each.since === lapsesAt',
    replace: 'true',
    catchers: [unitsSpec],
  },
  {
    name: 'a stop of a monitored account gives credits back',
    file: 'libs/monitoring/follow-list.js',
    find: 'const endsAt = host.clock.now().toISOString();',
    replace:
      "for (const { after } of changes) if (after.size === 0) { const { grant } = await import('#ledger/domain/post-credits.js'); const { creditAccount } = await import('#ledger/domain/credit-account.js'); const movementId = await host.ids.next('movement'); await host.commands.handle(creditAccount, String(task.workspaceId), grant({ movementId, credits: 5000000n, reason: 'refund' }), { context: stepOf(task, `refund:${movementId}`), answer: () => null }); } const endsAt = host.clock.now().toISOString();",
    catchers: [monitoringSummary],
  },
  {
    name: 'of monitored accounts that are due at the same time the last ones are paid first',
    file: payMonths,
    find: "['unit', 'asc'],",
    replace: "['unit', 'desc'],",
    catchers: [monitoredMonths],
  },
  {
    name: 'due monitored accounts are paid before accounts that are not covered',
    file: payMonths,
    find: 'if (work !== null && retryDueAt !== null && retryDueAt <= host.clock.now().toISOString()) {',
    replace:
      "const paidFirst = await payDueMonths(turn); if (paidFirst !== 'tried') return paidFirst; if (work !== null && retryDueAt !== null && retryDueAt <= host.clock.now().toISOString()) {",
    catchers: [monitoringSummary],
  },
  {
    name: 'a blocked workspace pays for monitored accounts',
    file: payMonths,
    find: 'if (isBlocked)',
    replace: 'if (false)',
    catchers: [accountMonitoring],
  },
  {
    name: 'an exempt workspace needs a price for monitored accounts',
    file: payMonths,
    find: "billing.mode === 'exempt' ? 0n : ",
    replace: '',
    catchers: [monitoringSummary],
  },
  {
    name: 'monitored accounts of an exempt workspace have a price',
    file: summary,
    find: "billing === 'exempt' ? 0n : ",
    replace: '',
    catchers: [monitoringSummary],
  },
  {
    name: 'an archived persona keeps its monitored accounts',
    file: 'libs/monitoring/active-personas.js',
    find: '.filter(({ archived }) => !archived)',
    replace: '',
    catchers: [monitoredMonths],
  },
  {
    name: 'unfollowed members are monitored',
    file: 'libs/lists/domain/lists/list-monitoring.js',
    find: 'return watchedBy(state).filter(',
    replace:
      'return (state.deleted || state.archivedAt !== null ? [] : [...state.membership.byId.values()]).filter(',
    catchers: [monitoredMonths],
  },
  {
    name: 'setting a whole list does not change members that were monitored one by one',
    file: 'libs/lists/domain/lists/list.js',
    find: 'state.membership.monitoring.clear();',
    replace: '',
    catchers: [accountMonitoring],
  },
  {
    name: 'after a top-up monitored accounts wait for their next hour',
    file: 'projections/monitoring/monitoring-work/monitoring-work.projection.js',
    find: 'retryDueAt: recordedAtOf(event) };',
    replace: 'retryDueAt: work.retryDueAt };',
    catchers: [monitoredMonths],
  },
  {
    name: 'uncovered monitored accounts are retried every two hours',
    file: 'libs/monitoring/domain/account-monitoring.js',
    find: 'anchorMs + hours * HOUR_MS',
    replace: 'anchorMs + 2 * hours * HOUR_MS',
    catchers: [retries, monitoredMonths],
  },
  {
    name: 'a detection about a monitored account is charged',
    file: 'libs/signals/launching/setup-source.js',
    find: "if (audiences.includes('covered_accounts'))",
    replace: 'if (false)',
    catchers: [monitoredCoverage],
  },
  {
    name: 'monitored accounts are covered for every persona',
    file: coverage,
    find: 'where: { workspaceId, personaId },',
    replace: 'where: { workspaceId },',
    catchers: [monitoredCoverage],
  },
  {
    name: 'monitored accounts are covered after their month',
    file: coverage,
    find: 'isWatchedAt(unit, moment, isExempt)',
    replace: 'unit.coveredUntil !== null',
    catchers: [monitoredCoverage],
  },
  // Charges in answers
  {
    name: 'a free signal is shown with the movement of the first signal of its page',
    file: 'projections/signals/detections/signal-prices.js',
    find: 'return FREE;',
    replace: 'return { credits: 10, movement_id: 1 };',
    catchers: [signalPrices],
  },
  {
    name: 'the charge of a signal of another workspace is shown',
    file: 'libs/signals/launching/signals-of-charges.js',
    find: 'return ownedBy(workspaceId, signal)?.movementId ?? null;',
    replace: 'return signal?.movementId ?? null;',
    catchers: [signalPrices],
  },
  {
    name: 'a repeated hold is reported as charged again',
    file: 'libs/ops/support/run-command.js',
    find: 'replayed !== true && ',
    replace: '',
    catchers: [creditHeaders],
  },
  {
    name: 'months that were charged before are reported again',
    file: 'libs/ledger/domain/charged-since.js',
    find: 'changedAt > revision && ',
    replace: '',
    catchers: [creditHeaders],
  },
  {
    name: 'months of other accounts are reported as charged',
    file: 'libs/monitoring/charged-months.js',
    find: 'companyIds.has(companyOfMonthKey(key) ?? 0)',
    replace: 'true',
    catchers: [creditHeaders],
  },

  // Requests of an attacker or a careless operator
  {
    name: 'unread responses of all clients together can fill the memory',
    file: 'libs/http/connections.js',
    find: 'for (const connection of longestFirst) {',
    replace: 'for (const connection of []) {',
    catchers: [unreadAnswers],
  },
  {
    name: 'a client that reads nothing is never cut',
    file: 'libs/http/connections.js',
    find: 'now - progressedAtMs >= unreadMs',
    replace: 'false',
    catchers: [unreadAnswers],
  },
  {
    name: 'requests are executed before the previous response has been read',
    file: 'libs/http/connections.js',
    find: 'if (!connection.isBusy) {',
    replace: 'if (true) {',
    catchers: [unreadAnswers],
  },
  {
    name: 'routes without a key are not limited',
    file: 'libs/http/admission.js',
    find: 'ofAddresses(countedAddress(request.ip))',
    replace: '{ ...ofAddresses(countedAddress(request.ip)), retryAfterSeconds: null }',
    catchers: ['test/api/rate-limit.spec.js'],
  },
  {
    name: 'headers after the 2,000th are silently ignored',
    file: 'libs/http/request-lifecycle.js',
    find: 'request.raw.rawHeaders.length > 2 * MOST_HEADERS',
    replace: 'false',
    catchers: [unreadAnswers],
  },
  {
    name: 'a response that changes only with the program is not compressed',
    file: 'libs/http/answers-kept.js',
    find: 'if (coding === null) {',
    replace: 'if (true) {',
    catchers: [unreadAnswers],
  },
  {
    name: 'a correction exceeds its charge',
    file: 'libs/ledger/domain/corrections.js',
    find: 'return sign * credits <= most ? null : { left: most };',
    replace: 'return null;',
    catchers: [decisions],
  },
  {
    name: 'a month is charged for an account that cannot be observed',
    file: 'libs/monitoring/not-observable.js',
    find: "if (resolutions[index]?.outcome !== 'found')",
    replace: 'if (false)',
    catchers: ['test/api/monitoring-observable.spec.js'],
  },
  {
    name: 'control characters of customers reach the terminal',
    file: 'apps/cli/src/printable.js',
    find: 'return text.replace(UNPRINTABLE, (character) => SHORT.get(character) ?? escaped(character));',
    replace: 'return text;',
    catchers: ['apps/cli/src/print-result.spec.js'],
  },
  {
    name: 'an export overwrites a store',
    file: 'apps/cli/src/write-export.js',
    find: 'if (isOfService(place, settings) || (await isDatabase(place)))',
    replace: 'if (false)',
    catchers: ['apps/cli/src/write-export.spec.js'],
  },
  {
    name: 'an export overwrites an existing file',
    file: 'apps/cli/src/write-export.js',
    find: 'if (!overwrite)',
    replace: 'if (false)',
    catchers: ['apps/cli/src/write-export.spec.js'],
  },
  {
    name: 'readiness does not detect that the event store file was replaced',
    file: 'libs/sqlite/file-place.js',
    find: 'found.dev === opened.dev && found.ino === opened.ino',
    replace: 'true',
    catchers: ['test/runtime/replaced-stores.spec.js'],
  },
  {
    name: 'one empty answer of a board closes all its postings',
    file: 'libs/sources/poll-source.js',
    find: 'items > 0 || empty >= EMPTY_IS_EMPTY',
    replace: 'true',
    catchers: ['test/sources/polls.spec.js'],
  },
  {
    name: 'a "not modified" answer of a source confirms an empty answer',
    file: 'libs/sources/poll-source.js',
    find: 'suspects.length > 0 || (empty > 0 && empty < EMPTY_IS_EMPTY)',
    replace: 'false',
    catchers: ['test/sources/polls.spec.js'],
  },
  {
    name: 'a source that returns to its earlier content after a crashed poll is taken as unchanged',
    file: 'libs/sources/before-writing.js',
    find: 'keptMemory(before)',
    replace: 'keptMemory(poll.before)',
    catchers: ['test/sources/polls.spec.js'],
  },
  {
    name: 'a source that returns to its earlier content after a stopped poll is taken as unchanged',
    file: 'libs/sources/poll-source.js',
    find: 'const left = withoutValidators(before)',
    replace: 'const left = before',
    catchers: ['test/sources/polls.spec.js'],
  },
  {
    name: 'a poll writes items after another process has polled its source',
    file: 'libs/sources/before-writing.js',
    find: 'if (!isKept)',
    replace: 'if (false)',
    catchers: ['test/sources/polls.spec.js'],
  },
  {
    name: 'the file of one customer is read for several workspaces',
    file: 'libs/sources/poll-source.js',
    find: 'kind.isFile && !source.isShared',
    replace: 'false',
    catchers: ['test/sources/polls.spec.js'],
  },
  {
    name: 'an item of a board has another ref at each reading',
    file: 'libs/sources/item-ref.js',
    find: '? prefix + name',
    replace: '? `${prefix}${name}-${Date.now()}`',
    catchers: ['test/sources/polls-and-charges.spec.js'],
  },
  {
    name: 'a host can request a pause of any length',
    file: 'libs/sources/robots.js',
    find: 'Math.min(rules.getCrawlDelay(PRODUCT) ?? 0, LONGEST_PACE_S)',
    replace: '(rules.getCrawlDelay(PRODUCT) ?? 0)',
    catchers: ['test/sources/hostile.spec.js'],
  },
  {
    name: 'the comparison of robots.txt has no time limit',
    file: 'libs/sources/robots.js',
    find: 'text.length * asked.length <= MOST_COMPARED',
    replace: 'true',
    catchers: ['test/sources/hostile.spec.js'],
  },
  {
    name: 'a reservation of text and data mining after a comment is ignored',
    file: 'libs/sources/polite-client.js',
    find: 'before !== null',
    replace: 'before !== null && false',
    catchers: ['test/sources/hostile.spec.js'],
  },
  {
    name: 'a page of a sitemap that answers 404 once closes its posting',
    file: 'libs/sources/kinds/jsonld.js',
    find: 'isPaged: isMissing',
    replace: 'isPaged: false',
    catchers: ['libs/sources/kinds/jsonld.spec.js'],
  },
  {
    name: 'a notice that is not available yet is never requested again',
    file: 'libs/sources/kinds/form-d.js',
    find: 'nowMs() - NEW_FOR_MS',
    replace: 'Infinity',
    catchers: ['libs/sources/kinds/form-d.spec.js'],
  },
  {
    name: 'numeric character references in XML are not resolved',
    file: 'libs/sources/xml-answer.js',
    find: 'htmlEntities: true',
    replace: 'htmlEntities: false',
    catchers: ['libs/sources/kinds/boards.spec.js'],
  },
  {
    name: 'a DOCTYPE in the text of a posting fails its board',
    file: 'libs/sources/xml-answer.js',
    find: 'OPENING.test(withoutCdata(body))',
    replace: 'true',
    catchers: ['libs/sources/kinds/boards.spec.js'],
  },
  {
    name: 'a title keeps its entities',
    file: 'libs/sources/plain-text.js',
    find: 'MARKED.test(written)',
    replace: 'false',
    catchers: ['libs/sources/kinds/boards.spec.js'],
  },
  {
    name: 'a board whose host has moved permanently is requested at the old host',
    file: 'libs/sources/board-kind.js',
    find: 'isOwnHost(board, of) ? ownOrigin(of) : of.baseUrl',
    replace: 'of.baseUrl',
    catchers: ['test/ops/sources.spec.js'],
  },
  {
    name: 'silent hosts can take every slot of a polling worker',
    file: 'libs/sources/source-polls.js',
    find: '.length < SLOTS_OF_TROUBLED',
    replace: '.length < SLOTS',
    catchers: ['test/sources/lane.spec.js'],
  },
  {
    name: 'a worker keeps partitions above its share when another worker starts',
    file: 'libs/process-engine/partitions.js',
    find: 'Math.max(0, held.size - own.size)',
    replace: '0',
    catchers: ['test/runtime/shared-work.spec.js'],
  },
  {
    name: 'a worker works beside a worker of an earlier version with another sharing rule',
    file: 'libs/process-engine/partitions.js',
    find: 'EARLIER_SLOTS.some((_, index)',
    replace: '[].some((_, index)',
    catchers: ['test/runtime/shared-work.spec.js'],
  },
  {
    name: 'a share takes the events of all workspaces',
    file: 'libs/projection-engine/share-plan.js',
    find: 'return places[partitionOf(Number(workspaceId))] ?? 0;',
    replace: 'return 0;',
    catchers: [sharedProjecting],
  },
  {
    name: 'the checkpoint of a read model is that of the fastest share',
    file: 'libs/projection-engine/share-publish.js',
    find: 'placeOfShare(slowest)',
    replace: 'placeOfShare(furthest)',
    catchers: [sharedProjecting],
  },
  {
    name: 'shares are merged at the position of the slowest one, with the counts of all',
    file: 'libs/projection-engine/share-merge.js',
    find: 'atLeast(view.checkpoint, furthest)',
    replace: 'view.checkpoint',
    catchers: [sharedProjecting],
  },
  {
    name: 'the events that a share has folded are folded again when shares are merged',
    file: 'libs/projection-engine/share-merge.js',
    find: '{ ...context, takes }',
    replace: '{ ...context }',
    catchers: [sharedProjecting],
  },
  {
    name: 'a worker that froze and lost its partition sends its next command',
    file: 'libs/process-engine/fenced-commands.js',
    find: 'fence();',
    replace: '',
    catchers: ['test/simulation/shared-work-kills.spec.js'],
  },
  {
    name: 'one of several workers does not find the work of workspaces after the first thousand',
    file: 'libs/process-engine/work-queue.js',
    find: 'MOST_WORKSPACES / settings.share()',
    replace: 'MOST_WORKSPACES',
    catchers: ['test/runtime/shared-work.spec.js'],
  },
  {
    name: 'one host gets requests for two sources at the same time',
    file: 'libs/sources/source-polls.js',
    find: 'hosts.has(host)',
    replace: 'false',
    catchers: ['test/sources/lane.spec.js'],
  },
  {
    name: 'a restart polls every source',
    file: 'libs/sources/poll-source.js',
    find: 'dueAtMs > nowMs()',
    replace: 'false',
    catchers: ['test/sources/lane.spec.js', 'test/sources/polls.spec.js'],
  },
  {
    name: 'three answers of 404 in a minute mean that a board is gone',
    file: 'libs/sources/gone-source.js',
    find: 'at - before.missingAtMs >= HOUR_MS / 2',
    replace: 'true',
    catchers: ['test/sources/polls.spec.js'],
  },
  {
    name: 'a posting whose text is cut within an emoji is lost',
    file: 'libs/sources/sighting-of.js',
    find: 'readObservation(storable(line), sentAtMs)',
    replace: 'readObservation(line, sentAtMs)',
    catchers: ['libs/sources/sighting-of.spec.js'],
  },
  {
    name: 'a network is copied into a network with other records',
    file: 'libs/network/copy-network.js',
    find: 'wanted === null || !isSame(part, wanted, found)',
    replace: 'false',
    catchers: ['test/store-copy/copy-network.spec.js'],
  },
  {
    name: 'a copy of a network has own dates instead of window dates',
    file: 'libs/network/network-record.js',
    find: 'isDatedApart(observation) ? windowAtMs : happenedAtMs(observation)',
    replace: 'happenedAtMs(observation)',
    catchers: ['test/store-copy/copy-network.spec.js'],
  },
  {
    name: 'a copy of a network omits the previous revision of people',
    file: 'libs/network/sqlite/sqlite-network-end.js',
    find: "kind === 'person' ? previous_body : null",
    replace: 'null',
    catchers: ['test/store-copy/copy-network.spec.js'],
  },
  {
    name: 'a confirmed launch can have other arguments',
    file: 'apps/mcp/src/confirmations.js',
    find: 'asked !== digestOf(agreement)',
    replace: 'false',
    catchers: ['test/mcp/confirmations.spec.js'],
  },
  {
    name: 'an agreement outlives its ten minutes',
    file: 'apps/mcp/src/confirmations.js',
    find: 'String(expiresAt) <= clock.now().toISOString()',
    replace: 'false',
    catchers: ['test/mcp/confirmations.spec.js'],
  },
  {
    name: 'an agreement is valid for every key of a workspace',
    file: 'apps/mcp/src/confirmations.js',
    find: '{ apiKeyId: caller.keyId }',
    replace: '{}',
    catchers: ['test/mcp/confirmations.spec.js'],
  },
  {
    name: 'a confirmed launch ignores the quote that the person saw',
    file: 'apps/mcp/src/tools/launch-run.tool.js',
    find: 'agreed.quoteId === null ? {}',
    replace: 'true ? {}',
    catchers: ['test/mcp/confirmations.spec.js'],
  },
  {
    name: 'a launch is made although the person declined',
    file: 'apps/mcp/src/tools/launch-run.tool.js',
    find: "answered.answer === 'no'",
    replace: 'false',
    catchers: ['test/mcp/confirmations.spec.js'],
  },
  {
    name: 'an assistant launches without a limit',
    file: 'apps/mcp/src/tools/launch-run.tool.js',
    find: 'limit === undefined',
    replace: 'false',
    catchers: ['test/mcp/tools.spec.js'],
  },
  {
    name: 'a dispatch ignores unknown fields',
    file: 'libs/http/dispatcher.js',
    find: 'if (refusal !== null)',
    replace: 'if (false)',
    catchers: ['test/mcp/tools.spec.js'],
  },
  {
    name: 'pages of every origin can call the tools',
    file: 'apps/mcp/src/answer-mcp-message.command.js',
    find: 'origin === undefined || allowed.includes(origin)',
    replace: 'true',
    catchers: ['test/mcp/door.spec.js'],
  },
  {
    name: 'a batch of messages is counted as one',
    file: 'apps/mcp/src/answer-mcp-message.command.js',
    find: 'Array.isArray(body)',
    replace: 'false',
    catchers: ['test/mcp/door.spec.js'],
  },
  {
    name: 'a form of the console is accepted from every origin',
    file: 'apps/console/src/desk.js',
    find: '!isOwnOrigin(asked.browser) ||',
    replace: '',
    catchers: ['test/console/actions.spec.js'],
  },
  {
    name: 'a form of the console is accepted without its form token',
    file: 'apps/console/src/desk.js',
    find: "!provesToken(form.get('form_token'), session.formToken)",
    replace: 'false',
    catchers: ['test/console/actions.spec.js'],
  },
  {
    name: 'a read-only link of the console can send forms',
    file: 'apps/console/src/desk.js',
    find: 'session.link !== undefined ||\n',
    replace: '\n',
    catchers: ['test/console/links.spec.js'],
  },
  {
    name: 'a read-only link of the console shows every workspace',
    file: 'apps/console/src/visits.js',
    find: '|| workspaceId !== link.workspaceId',
    replace: '',
    catchers: ['test/console/links.spec.js'],
  },
  {
    name: 'every form of the console carries its form token under the same mask',
    file: 'apps/console/src/sessions.js',
    find: "randomBytes(MASK_BYTES).toString('base64url')",
    replace: "'mask'",
    catchers: ['test/console/compression.spec.js'],
  },
  {
    name: 'a session of the console never ends',
    file: 'apps/console/src/sessions.js',
    find: 'nowMs() - session.usedAtMs >= IDLE_MS',
    replace: 'false',
    catchers: ['apps/console/src/sessions.spec.js'],
  },
  {
    name: 'an action of the console is sent although the shown state has changed',
    file: 'apps/console/src/pages/action.pages.js',
    find: 'preview.approved !== undefined && preview.approved !== approved',
    replace: 'false',
    catchers: ['test/console/terms.spec.js'],
  },
  {
    name: 'an irreversible action of the console needs no second confirmation',
    file: 'apps/console/src/pages/action.pages.js',
    find: "form.get('again') !== 'yes'",
    replace: 'false',
    catchers: ['test/console/actions.spec.js'],
  },
  {
    name: 'a chart of the console falls below zero',
    file: 'apps/console/src/charts/foreseen-days.js',
    find: "Math.max(numberOf(row, 'balance'), least)",
    replace: "numberOf(row, 'balance')",
    catchers: ['apps/console/src/charts/foreseen-days.spec.js'],
  },
  {
    name: 'a page of the console reads every row of its period',
    file: 'apps/console/src/pages/ledger.page.js',
    find: 'rows: MOST_ROWS,',
    replace: '',
    catchers: ['test/console/long-ledger.spec.js'],
  },
  {
    name: 'the days of a ledger from a first day on start with a balance of 0',
    file: 'libs/ledger/commands/ledger-days.js',
    find: 'before === null ? 0n : available(before.books)',
    replace: '0n',
    catchers: ['test/console/long-ledger.spec.js'],
  },
  {
    name: 'a part of a statement starts again at the first row',
    file: 'libs/ledger/commands/ledger-statement.js',
    find: 'wanted < first ? first :',
    replace: 'wanted >= first ? first :',
    catchers: ['test/console/long-ledger.spec.js'],
  },
  {
    name: 'cached sums of another history are used',
    file: 'libs/ledger/history/ledger-reader.js',
    find: 'last !== null && sealOf(last) === known.hash',
    replace: 'last !== null',
    catchers: ['test/finance/statement.spec.js'],
  },
  {
    name: 'a stored day determines the first entry of a time without a check of the entries',
    file: 'libs/ledger/history/ledger-reader.js',
    find: 'if (recordedAtOf(entry) >= at)',
    replace: 'if (count === 1 ? recordedAtOf(entry) >= at : entry.revision > revision)',
    catchers: ['test/finance/statement.spec.js'],
  },
  {
    name: 'a process that starts reads the whole log for its sweep',
    file: 'libs/event-store/sqlite/sweep.js',
    find: 'walked ?? beforeOldest(lastLasting)',
    replace: 'walked ?? 0',
    catchers: ['test/contract/sqlite-event-store-sweep.spec.js'],
  },
  {
    name: 'a page of the console is compressed for browsers that do not accept it',
    file: 'libs/http/compressed-pages.js',
    find: "codingFor(String(request.headers['accept-encoding'] ?? ''))",
    replace: "'br'",
    catchers: ['test/console/compression.spec.js'],
  },
  {
    name: 'a page of the console is not compressed',
    file: 'libs/http/compressed-pages.js',
    find: 'coding === null ||',
    replace: 'true ||',
    catchers: ['test/console/compression.spec.js'],
  },
  {
    name: 'a text that its column would change is read from the column',
    file: 'libs/read-store/sqlite/document-text.js',
    find: '!CHANGED_IN_COLUMN.test(value)',
    replace: 'true',
    catchers: ['test/contract/sqlite-read-store.spec.js'],
  },
  {
    name: 'an indexed field that a compact document does not have is read as null',
    file: 'libs/read-store/sqlite/document-text.js',
    find: 'absent.push(field)',
    replace: 'void field',
    catchers: ['test/contract/sqlite-read-store.spec.js'],
  },
  {
    name: 'a text that is no instant is the same as the next instant',
    file: 'libs/read-store/sqlite/instants.js',
    find: 'firstNotLess(text) - 0.5',
    replace: 'firstNotLess(text)',
    catchers: ['test/contract/sqlite-read-store.spec.js'],
  },
  {
    name: 'a webhook is sent from a read model in which the workspace is parked',
    file: 'libs/delivery/event-feed.js',
    find: 'readModelsOf(readModels, engine.isParked, workspaceId)',
    replace: 'readModels',
    catchers: ['test/simulation/webhook-parked.spec.js'],
  },
  {
    name: 'the feed of a parked workspace continues after the event where it stopped',
    file: 'libs/delivery/event-feed.js',
    find: 'standing.parkedAt === null ? {}',
    replace: 'true ? {}',
    catchers: ['test/simulation/webhook-parked.spec.js'],
  },
  {
    name: 'a cursor of the feed is the position of its event in one store',
    file: 'projections/delivery/event-feed/event-feed.projection.js',
    find: 'feedEntryId(event.id, place)',
    replace: 'feedEntryId(event.position, place)',
    catchers: ['test/store-copy/moving-house.spec.js'],
  },
  {
    name: 'the position of an endpoint counts as gone while its event is parked',
    file: 'libs/delivery/event-feed.js',
    find: '?.parkedAt !== null',
    replace: '?.parkedAt === undefined',
    catchers: ['test/simulation/webhook-parked.spec.js'],
  },
  {
    name: 'webhooks skip parked events when they are folded',
    file: 'libs/delivery/webhooks/queue/feed-window.js',
    find: 'hasMore || isStopped',
    replace: 'hasMore',
    catchers: ['test/simulation/webhook-parked.spec.js'],
  },
  {
    name: 'a stream of events outlives its key',
    file: 'libs/delivery/feed-stream.js',
    find: '!(await mayGoOn())',
    replace: 'false',
    catchers: ['test/simulation/feed-stream.spec.js'],
  },
  {
    name: 'a silent stream of events has no heartbeat',
    file: 'libs/delivery/feed-stream.js',
    find: 'if (!(await signal.within(beatMs)))',
    replace: 'if (!(await signal.within(beatMs)) && false)',
    catchers: ['test/simulation/feed-stream.spec.js'],
  },
  {
    name: 'an event that arrives while a page is read is sent only at the next heartbeat',
    file: 'libs/delivery/feed-stream.js',
    find: 'if (isAwake)',
    replace: 'if (false)',
    catchers: ['test/simulation/feed-stream.spec.js'],
  },
  {
    name: 'an attempt that failed in this process is repeated immediately',
    file: 'libs/delivery/webhooks/queue/requests-in-flight.js',
    find: 'restUntilMs = nowMs() + AFTER_FAILURE_MS',
    replace: 'restUntilMs = 0',
    catchers: ['test/simulation/webhook-parked.spec.js'],
  },
  {
    name: 'a failed delivery is reported before its row is stored',
    file: 'libs/delivery/webhooks/queue/attempts.js',
    find: 'await records.putRow(key, row);',
    replace: 'void records.putRow(key, row);',
    catchers: ['test/simulation/webhook-kills.spec.js'],
  },
  {
    name: 'an event of an endpoint counts as settled when it is sent',
    file: 'libs/delivery/webhooks/queue/endpoint-queue.js',
    find: "fresh.status = 'sent';",
    replace: "fresh.status = 'settled';",
    catchers: ['test/simulation/webhook-kills.spec.js'],
  },
  {
    name: 'the previous secret no longer signs deliveries',
    file: 'libs/delivery/webhooks/signing.js',
    find: 'previousSecretId !== null && isStillSigning',
    replace: 'false',
    catchers: ['test/api/webhooks.spec.js'],
  },
  {
    name: 'a replay changes the health of its endpoint',
    file: 'libs/delivery/webhooks/queue/attempts.js',
    find: 'if (!isReplay)',
    replace: 'if (true)',
    catchers: ['test/simulation/webhook-queue.spec.js'],
  },
  {
    name: 'all batches of runs are completed at the same time',
    file: 'libs/process-engine/steps-in-turn.js',
    find: 'if (free > 0)',
    replace: 'if (true)',
    catchers: ['libs/process-engine/steps-in-turn.spec.js'],
  },
  {
    name: 'HEAD keeps a stream of events open',
    file: 'libs/http/head-streams.js',
    find: 'payload.destroy();',
    replace: 'payload.resume();',
    catchers: ['test/api/slow-streams.spec.js'],
  },
  {
    name: 'a post keeps the window date of an observation without a text',
    file: 'libs/network/sighting.js',
    find: '&& !isFirstText',
    replace: '',
    catchers: ['test/contract/sqlite-network-store.spec.js'],
  },
  {
    name: 'a drain does not wait for the runner that starts',
    file: 'libs/process-engine/process-runner.js',
    find: '!isStarting() && ',
    replace: '',
    catchers: ['test/runtime/process-runner.spec.js'],
  },
  {
    name: 'a reader waits although the error behind the last records is known',
    file: 'libs/event-store/eventstoredb/pull.js',
    find: '!isAwake && failure === null',
    replace: '!isAwake',
    catchers: ['libs/event-store/eventstoredb/pull.spec.js'],
  },
  {
    name: 'a resumed subscription is taken for one of the same log whatever its server delivers first',
    file: 'libs/event-store/eventstoredb/delivery-order.js',
    find: 'first === id',
    replace: 'true',
    catchers: ['test/servers/eventstoredb-reads.spec.js'],
  },
  {
    name: 'a content without facts is presumed to be new',
    file: 'libs/identities/claim-identities.js',
    find: 'filter(({ content: { facts } }) => facts !== null)',
    replace: 'filter(() => true)',
    catchers: ['test/servers/eventstoredb-claims.spec.js'],
  },
];
