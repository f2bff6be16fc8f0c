// Rules broken on purpose, one at a time, in the compiled code. `find` must stand in the file exactly once.
// `catchers` are the specs that must fail; if they pass, all the other specs of the ledger are run.

const decisions = 'libs/ledger/domain/credit-account.spec.js';
const capDecisions = 'libs/ledger/domain/caps.spec.js';
const simulatedCaps = 'test/simulation/caps.spec.js';
const quotes = 'test/api/quotes.spec.js';
const statements = 'libs/ledger/history/statement.spec.js';
const lots = 'libs/ledger/domain/lots.spec.js';
const yearOfLots = 'test/simulation/lots.spec.js';
const openings = 'libs/ledger/domain/import-opening.spec.js';
const simulatedOpenings = 'test/simulation/imported-openings.spec.js';
const importedOpening = 'test/api/imported-opening.spec.js';
const recurring = 'libs/ledger/domain/recurring-grants.spec.js';
const verification = 'libs/ledger/history/verify.spec.js';
const totals = 'libs/ledger/history/spend-totals.spec.js';
const seals = 'libs/ledger/domain/seal.spec.js';
const properties = 'test/simulation/ledger.spec.js';
const moneyPath = 'test/simulation/money-path.spec.js';
const forgetting = 'test/simulation/forgetful-ledger.spec.js';
const races = 'test/simulation/races.spec.js';
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
const accountEnds = 'test/simulation/account-request-ends.spec.js';
const mappingDays = 'libs/accounts/domain/mappings/mapping-day.spec.js';

const monthFacts = 'libs/monitoring/domain/months-facts.spec.js';
const monitoredMonths = 'test/simulation/monitoring-months.spec.js';
const monitoredKills = 'test/simulation/monitoring-kills.spec.js';
const unreadAnswers = 'test/api/unread-answers.spec.js';
const monitoringSummary = 'test/api/monitoring-summary.spec.js';
const monitoredCoverage = 'test/api/monitored-coverage.spec.js';
const accountMonitoring = 'test/api/account-monitoring.spec.js';
const monitoringStops = 'test/api/monitoring-stops.spec.js';
const pipelineStops = 'test/api/pipeline-stops.spec.js';
const monitoringOrder = 'test/api/monitoring-order.spec.js';

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
  'test/kernel/concurrent-holds.spec.js',
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
const holds = 'libs/ledger/domain/hold-credits.js';
const postings = 'libs/ledger/domain/post-credits.js';
const settling = 'libs/ledger/domain/settle-credits.js';
const groups = 'libs/kernel/commands/settle-group.js';
const deciding = 'libs/kernel/commands/decide-round.js';
const appending = 'libs/kernel/commands/append-patiently.js';
const charging = 'libs/ledger/charging/charges.js';
const livePasses = 'test/api/live-passes.spec.js';
const launchRules = 'libs/signals/domain/launches/launches.spec.js';
const runProcess = 'libs/signals/runs/execute-signal-run.process.js';
const run = 'libs/signals/domain/runs/signal-run.js';

const profilePayment = 'libs/accounts/mappings/profile-charges.js';
const months = 'libs/monitoring/domain/months-facts.js';
const payMonths = 'libs/monitoring/pay-months.js';
const payUnits = 'libs/monitoring/pay-units.js';
const dueUnits = 'libs/monitoring/due-units.js';
const units = 'projections/monitoring/monitored-units/monitored-units.projection.js';

const mappingPayments = 'libs/accounts/content-requests/pay-mappings.js';
const stopFence = 'libs/kernel/commands/stop-fence.js';

/** Rules of one file that the same specs must catch, by name: what stands in the file, and its replacement. */
const broken = (file, catchers, rules) =>
  Object.entries(rules).map(([name, [find, replace]]) => ({ name, file, find, replace, catchers }));

export const mutations = [
  // Stops, and months that begin together
  ...broken('libs/ledger/domain/credit-account.js', [monitoringStops], {
    'a charge that was prepared before a stop is held': ['({ memory }) => memory.preparedAfter', '() => 0n'],
  }),
  ...broken(stopFence, ['test/kernel/command-repetitions.spec.js'], {
    'a stop is answered before the ledger has its entry': [
      'await onStop?.({ stream: queue.stream, workspaceId, context, foundAt: null });',
      '',
    ],
  }),
  ...broken(stopFence, [monitoringStops], {
    'a repeated stop is answered without an entry in the ledger': [
      'const open = queue.openStop();',
      'const open = null;',
    ],
  }),
  ...broken('libs/monitoring/months-of-units.js', ['libs/monitoring/months-of-units.spec.js'], {
    'a free month is charged because its unit was read before it was recorded': [
      'wish.freeUntil !== null && wish.freeUntil > lapsesAt',
      'false',
    ],
    'a month is charged of an account that was stopped and requested again since it was read': [
      'wish.wantedSince === null || wish.wantedSince > lapsesAt',
      'wish.wantedSince === null',
    ],
  }),
  ...broken('libs/monitoring/months-of-units.js', [monitoringStops], {
    'a month is paid although no list or pick requests it any more': [
      'wish.sources.some((source) => isStanding(source, unit.personaId))',
      'wish.sources.length > 0',
    ],
  }),
  ...broken(mappingPayments, [pipelineStops], {
    'a mapping is paid although its pipeline was switched off': [
      "return accountMapping && !isDisabled ? 'on' : 'off';",
      "return 'on';",
    ],
  }),
  ...broken('libs/accounts/mappings/charge-unless-blocked.js', [pipelineStops], {
    'a blocked workspace is charged for running work': ["return 'blocked';", ';'],
  }),
  ...broken(dueUnits, [monitoringOrder], {
    'months that start together are paid before all of them are requested': [
      "openSince === null || (lapsesAt ?? '') < openSince",
      'true',
    ],
  }),
  ...broken(mappingPayments, ['test/simulation/months-before-pipelines.spec.js'], {
    'a mapping is paid before months that are not covered': ['await monthsFirst(mark);', ';'],
  }),
  ...broken(
    'libs/accounts/mappings/map-top-accounts.process.js',
    ['test/simulation/top-account-rests.spec.js'],
    {
      'a pause of pipelines ignores a grant that was made while they were processed': [
        'pauseRequests(worked.waiting, wakes, run.now())',
        'pauseRequests(worked.waiting, Number.MAX_SAFE_INTEGER, run.now())',
      ],
      'pipelines stay paused although one was switched on meanwhile': [
        'restRequests(resting, wakes, run.now())',
        'restRequests(resting, Number.MAX_SAFE_INTEGER, run.now())',
      ],
    },
  ),
  ...broken(payUnits, ['test/simulation/monitoring-grants.spec.js'], {
    'a refusal of months ignores a grant that was made before it was recorded': [
      'refuseMonths(refused, seen)',
      'refuseMonths(refused, { wakes: Number.MAX_SAFE_INTEGER, reasons: Number.MAX_SAFE_INTEGER })',
    ],
  }),
  ...broken('libs/accounts/mappings/requestable-accounts.js', ['test/simulation/order-of-arrival.spec.js'], {
    'requests of a company without an identifier are planned before the read model shows it': [
      'if (shown === undefined)',
      'if (shown === undefined) return { companyId, index, shown: { pipelineConfigs: [], domain: null, networkHandle: null } }; if (false)',
    ],
  }),
  ...broken('libs/accounts/mappings/finish-launch.js', ['test/simulation/enrichment-outlived.spec.js'], {
    'a launch that outlived its reservation is dropped persona by persona': [
      'launch.reservedBy === reservedBy)',
      'launch.requestId === requestId)',
    ],
  }),
  ...broken('libs/accounts/domain/mappings/mapping-day.js', [mappingDays], {
    'a launch for several personas continues without the dropped one': [
      'kept.length < movements.size',
      'false',
    ],
  }),
  ...broken('libs/monitoring/begin-together.js', [monitoringOrder], {
    'an interrupted start of monitoring is completed with another time': [
      'each.beginsAt < first ? each.beginsAt : first',
      'first',
    ],
    'an interrupted start of monitoring is never completed': [
      'listId === cause)',
      'listId === cause && false)',
    ],
  }),
  ...broken('libs/kernel/commands/commands.js', [monitoringOrder], {
    'a request with late read models pays the units that it sees': ['{ ...looked, late: true }', 'looked'],
  }),
  ...broken('libs/projection-engine/shared-fill.js', ['test/projections/rebuilding-on-a-thread.spec.js'], {
    'a rebuild of an empty log starts a thread': [
      '(await events.lastEvent()) === null ? null : elsewhere',
      'elsewhere',
    ],
  }),
  ...broken('libs/mongodb/open-mongo-database.js', ['libs/mongodb/durable-database.spec.js'], {
    'a server answers writes before they are in its journal': [
      'client.options.writeConcern?.wtimeoutMS, true)',
      'client.options.writeConcern?.wtimeoutMS, false)',
    ],
  }),
  ...broken('libs/kernel/commands/together.js', ['libs/kernel/commands/together.spec.js'], {
    'each call of a turn is sent to the server separately': [
      'gathering ??= gather();',
      'gathering = gather();',
    ],
  }),
  // What may be spent
  ...broken(books, [moneyPath], {
    'held credits still count as available': [
      'return granted(books) - held - captured;',
      'return granted(books) - captured;',
    ],
    'captured credits count as available again': [
      'return granted(books) - held - captured;',
      'return granted(books) - held;',
    ],
  }),
  ...broken(holds, [properties, decisions], {
    'a hold of exactly the available credits is refused': [
      'if (shortage === null && next.credits > free) {',
      'if (shortage === null && next.credits >= free) {',
    ],
  }),
  ...broken(holds, [moneyPath], {
    'a batch ignores the credits of its own first holds': ['free -= next.credits;', ''],
    'a cheaper item after the first uncovered one is held': [
      'if (shortage === null && next.credits > free) {',
      'shortage = null; if (next.credits > free) {',
    ],
    'a refusal is counted as a movement': ['refused.push(next);', 'refused.push(next); holds.push(next);'],
  }),
  ...broken('libs/ledger/domain/recurring-grants.js', [recurring], {
    'a recurring grant is made although it has expired': [
      'if (expiresAt !== null && expiresAt <= at)',
      'if (false)',
    ],
    'a recurring grant is added again with the same key': [
      'if (earlier !== null)\n        return requireSame(earlier, wanted, beginsNow);',
      '',
    ],
    'held credits do not count for the ceiling of a recurring grant': [
      'inUse += lot.free + lot.held;',
      'inUse += lot.free;',
    ],
    'several grants of one command do not share the ceiling of their rule': [
      'remaining.ceiling -= credits;',
      '{}',
    ],
  }),
  ...broken('libs/ledger/domain/recurring-rules.js', [recurring], {
    'the key of an ended recurring grant is forgotten': ['over.set(rule.key, rule);', ''],
  }),
  ...broken('libs/kernel/values/calendar-months.js', [recurring], {
    'a month that begins on the 31st runs over the end of a shorter month': [
      'Math.min(anchorDay, lastDay)',
      'anchorDay',
    ],
  }),
  ...broken('libs/ledger/forecast/forecast.js', ['libs/ledger/forecast/forecast.spec.js'], {
    'a forecast spends credits that have expired': [
      'rests = rests.filter((rest) => !over.includes(rest));',
      '',
    ],
  }),
  ...broken(caps, [capDecisions], {
    'a hold of exactly the rest under a cap is refused': [
      'spentOf(cap) + credits > cap.limit',
      'spentOf(cap) + credits >= cap.limit',
    ],
    'a new cap ignores a hold in the first millisecond of its period': ['heldAt >= from', 'heldAt > from'],
    'a hold is not refused by the narrowest cap': ['key: 0,', 'key: 3,'],
    'the cap of a key counts the requests of all keys': ['return cause.keyId === scopeId;', 'return true;'],
  }),
  ...broken(caps, [capDecisions, simulatedCaps], {
    'a batch ignores its own first holds under a cap': [
      'taken.set(cap.id, (taken.get(cap.id) ?? 0n) + credits);',
      '{}',
    ],
    'a cap keeps its count when its period has ended': [
      'counted?.from === periodStart(period, at) ? counted.spent : 0n',
      'counted?.spent ?? 0n',
    ],
    'a release does not lower the count of its cap': [
      'spent: counted.spent - credits',
      'spent: counted.spent',
    ],
    'a release lowers the count of a later period': [' || periodStart(period, heldAt) !== from', ''],
  }),
  ...broken('libs/ledger/domain/limits.js', [capDecisions], {
    'a snapshot omits the counts of caps': [
      'limits.caps.set(cap.id, { ...cap, limit: fromStored(cap.limit), counted });',
      'limits.caps.set(cap.id, { ...cap, limit: fromStored(cap.limit), counted: null });',
    ],
  }),
  ...broken('libs/ledger/forecast/forecast.js', ['libs/ledger/forecast/forecast.spec.js'], {
    'a forecast expires every lot at the first expiry': [
      'expiresAt !== null && expiresAt <= at',
      'expiresAt !== null',
    ],
  }),
  ...broken('libs/ledger/forecast/foresee-credits.js', ['libs/ledger/forecast/foresee-credits.spec.js'], {
    'a forecast counts the held credits of one lot for the ceiling of its rule': [
      '(heldOfRule.get(rule) ?? 0n) + held',
      'held',
    ],
  }),
  ...broken('libs/ledger/domain/set-caps.js', [capDecisions], {
    'a new cap ignores a hold in the first millisecond of its period that was captured since it was read': [
      'heldFor.heldAt >= earlier.from',
      'heldFor.heldAt > earlier.from',
    ],
  }),
  ...broken('libs/ledger/domain/recent-postings.js', [decisions], {
    'a withdrawal of what was just granted counts as its repetition': ['earlier.kind === wanted.kind &&', ''],
  }),
  ...broken('libs/ledger/domain/paid-subjects.js', [openings], {
    'subjects that were paid elsewhere are looked up in other streams than before': [
      '.slice(0, 8)',
      '.slice(0, 7)',
    ],
  }),
  ...broken('libs/ledger/domain/credit-account.js', [openings], {
    'an opening stays in memory although its append failed': [
      'Object.assign(openings, { current, reversed });',
      '',
    ],
  }),
  ...broken('libs/ledger/domain/credit-account.js', [recurring], {
    'a recurring grant whose append failed uses up its number': ['recurring.last = last;', ''],
  }),
  ...broken('libs/ledger/domain/hold-credits.js', [decisions], {
    'the numbered key of a forgotten charge counts as new': [
      'requireRemembered(account, [askCharge(key)]);',
      '',
    ],
  }),
  ...broken('libs/ledger/history/still-standing.js', ['libs/ledger/history/still-standing.spec.js'], {
    'a printed entry with another seal counts as an entry of the ledger': [
      ' && sealOf(now) === sealOf(entry)',
      '',
    ],
    'a row of a printed statement with another movement counts as a row of the ledger': [
      "entry.data['movementId'] !== row.movementId",
      'false',
    ],
  }),
  ...broken('projections/ledger/credit-balances/credit-balances.projection.js', [balances], {
    'credits that were withdrawn from a lot expire once more': [
      'CreditsWithdrawn: (before, event) => withFree(withGranted(opened(before, event), -fromStored(event.data.credits)), event.data.lots, -1n)',
      'CreditsWithdrawn: (before, event) => withGranted(opened(before, event), -fromStored(event.data.credits))',
    ],
  }),
  ...broken(
    'projections/ledger/credit-outlooks/credit-outlooks.projection.js',
    ['projections/ledger/credit-outlooks/credit-outlooks.spec.js'],
    {
      'credits that are used at the time of a forecast are not forecast again': [
        'before.lookAt <= at)',
        'before.lookAt < at)',
      ],
    },
  ),
  ...broken(
    'libs/ledger/domain/thresholds.js',
    ['libs/ledger/domain/thresholds.spec.js', 'test/simulation/thresholds.spec.js'],
    {
      'a threshold is reported again at each entry below it': [
        "setState(marks, nameOf(credits, days), 'told');",
        '{}',
      ],
      'a threshold is armed again by a grant that ends below it': [
        'else if (isAbove(mark, balance))',
        'else',
      ],
      'a threshold is reported only when the balance is below it': [
        'balance > mark.threshold',
        'balance >= mark.threshold',
      ],
    },
  ),
  ...broken(deciding, ['test/kernel/command-following.spec.js'], {
    'an expiry that crosses a threshold reports nothing': [
      'return [...made, ...foldFollowing(on, DUE.correlationId, recordedAt)];',
      'return made;',
    ],
  }),
  ...broken(holds, [decisions], {
    'charges that a partner has paid do not count for the maximum of its receivable': [
      ' - (receivable?.captured ?? 0n)',
      '',
    ],
  }),
  ...broken(holds, [capDecisions], {
    'a batch ignores its own first holds under the budget': ['left -= next.credits;', '{}'],
  }),
  ...broken('libs/ledger/domain/budgets.js', [capDecisions], {
    'a quote is the budget of every launch that names it': [
      'if (isSpentElsewhere(budgets, budget))',
      'if (false)',
    ],
    'a launch that has ended has its budget again': ['isClosed ? 0n : ', ''],
  }),
  ...broken('libs/signals/quoting/quote-launch.js', ['test/api/late-quotes.spec.js'], {
    'a quote counts findings of the last launch as new while read models are late': [
      'if (position !== null)',
      'if (false)',
    ],
  }),
  ...broken('libs/signals/launching/quotes.js', [quotes], {
    'a quote is valid for another body': [
      "[quote.body !== digestOf(body), 'it was made for another body'],",
      '',
    ],
    'a quote outlives its price': ["[quote.madeOf.prices !== now.prices, 'the price has changed'],", ''],
    'a quote outlives its persona': [
      "[quote.madeOf.persona !== now.persona, 'the persona has changed'],",
      '',
    ],
    'a quote is valid after its 15 minutes': [
      "[quote.expiresAt <= clock.toISOString(), 'it has expired'],",
      '',
    ],
  }),
  ...broken('libs/ledger/domain/spendable.js', [quotes], {
    'a quote ignores the caps': ['[paid, ...remaining].reduce', '[paid].reduce'],
  }),
  ...broken('libs/ledger/domain/spendable.js', ['libs/ledger/domain/spendable.spec.js'], {
    'a quote under several caps is limited by the widest': [
      'each < least ? each : least',
      'each > least ? each : least',
    ],
    'a quote under a cap that was lowered below its count is negative': [
      'credits < 0n ? 0n : credits',
      'credits',
    ],
  }),
  ...broken('libs/ledger/domain/budgets.js', [capDecisions], {
    'a launch with a quote holds credits once only': [' && other.launchId !== launchId', ''],
  }),
  ...broken('libs/signals/quoting/quote-launch.js', ['test/api/interaction-agents.spec.js'], {
    'a quote counts a person once per signal': [
      'BigInt(counted.charges) * price',
      'BigInt(counted.priced) * price',
    ],
  }),
  ...broken('libs/signals/launching/launch.js', [quotes], {
    'a launch with a quote is limited only by the balance': [
      'quote === null ? request.maxCredits : (quote.quote.creditsAtMost ?? 0n)',
      'request.maxCredits',
    ],
    'a launch with a quote of an exempt workspace charges the present payer': [
      'if (wasUnbilled && billed)',
      'if (false)',
    ],
  }),
  ...broken(
    'libs/accounts/domain/top-accounts/account-requests.js',
    ['libs/accounts/domain/top-accounts/account-requests.spec.js'],
    {
      'top accounts that a cap has paused are shown as lacking credits': [
        "by === 'cap' ? { pausedBy: by } : {}",
        '{}',
      ],
    },
  ),
  ...broken('libs/ledger/domain/lots.js', [lots], {
    'a lot can be spent in the instant in which it ends': [
      'expiresAt !== null && expiresAt <= at && free > 0n',
      'expiresAt !== null && expiresAt < at && free > 0n',
    ],
  }),
  ...broken('libs/ledger/domain/lots.js', [lots, yearOfLots], {
    'credits that return to an expired lot stay': ['expiresAt === undefined || expiresAt > at', 'true'],
    'paid credits are spent before promotional ones': [
      'Number(right.promotional) - Number(left.promotional)',
      'Number(left.promotional) - Number(right.promotional)',
    ],
  }),
  ...broken(books, [lots, yearOfLots], {
    'expired credits still count as granted': [
      'books.adjustments - (books.expired ?? 0n)',
      'books.adjustments',
    ],
  }),
  // Rules that only a sample of mechanical mutations showed to be untested
  ...broken(books, [lots], {
    'an adjustment leaves the credits that it took in their lot': [
      "moveShares(books.lots, data.lots ?? [], 'free', 'withdrawn');\n        books.adjustments",
      'books.adjustments',
    ],
    'lots are not rolled back with a decision whose append failed': ['books.lots.rewind();', ''],
  }),
  ...broken(books, [openings], {
    'the reversal of an opening leaves its credits in their lots': [
      "OpeningReversed: (books, { data }) => {\n        moveShares(books.lots, data.lots ?? [], 'free', 'withdrawn');",
      'OpeningReversed: (books, { data }) => {',
    ],
  }),
  ...broken('libs/ledger/domain/corrections.js', [decisions], {
    'a correction that a look-up includes is counted twice': [
      'recalled === null || postedAt > recalled.upTo',
      'true',
    ],
  }),
  ...broken(holds, [decisions], {
    'a charge that the ledger has forgotten counts as not paid': [
      'requireRemembered(account, keys.map(askCharge));',
      '',
    ],
  }),
  ...broken(postings, [decisions], {
    'a grant that the ledger has forgotten is made again for its key': [
      "(kind === 'adjustment' ? askAdjustment : askGrant)",
      '(askAdjustment)',
    ],
  }),
  ...broken('libs/ledger/domain/recent-postings.js', [decisions], {
    'a posting without a key is forgotten with the next one': [
      'Date.parse(recordedAt) - Date.parse(earlier.recordedAt) < DAY_MS',
      'false',
    ],
  }),
  ...broken('libs/ledger/domain/openings.js', [openings], {
    'a snapshot forgets an opening that was reversed': [
      'current === null && reversed.length === 0',
      'current === null',
    ],
  }),
  ...broken('libs/ledger/domain/lots.js', [lots], {
    'promotional credits without other terms are credit without terms': [
      ' &&\n    promotional === PLAIN_TERMS.promotional',
      '',
    ],
  }),
  ...broken(postings, [lots], {
    'a used key takes credits from another lot': ['earlier.lot !== (wanted.lot ?? null)', 'false'],
  }),
  ...broken('libs/ledger/domain/account-snapshot.js', [capDecisions], {
    'a snapshot of a ledger with caps omits its lots': [
      '...(withLots === undefined ? {} : { withLots }),',
      '',
    ],
  }),
  ...broken('libs/ledger/domain/set-caps.js', [capDecisions], {
    'a new cap counts a hold that is open twice': ["status !== 'captured' || ", ''],
    'a cap that is moved to another scope keeps its count': ['before.scope === scope && ', ''],
  }),
  ...broken('libs/ledger/domain/recurring-grants.js', [recurring], {
    'several grants of one command do not share the maximum of open lots': ['remaining.lots -= 1;', ''],
  }),
  ...broken('libs/signals/domain/launches/launches.js', [launchRules], {
    'a used quote is valid again after another launch': ['- QUOTES_KEPT_MS', '+ QUOTES_KEPT_MS'],
  }),
  ...broken(run, ['libs/signals/domain/runs/signal-run.spec.js'], {
    'a run ends before its last batch is completed': ['run.prepared !== null || run.more', 'run.more'],
  }),
  ...broken(
    'libs/monitoring/domain/account-monitoring.js',
    ['libs/monitoring/domain/account-monitoring.spec.js'],
    {
      'a snapshot omits the next retry of months': ["typeof retryAt === 'string' ? retryAt : null", 'null'],
      'months that are refused for lack of credits are retried at the end of a day': [
        'isCapped && reset < hour',
        'reset < hour',
      ],
    },
  ),
  ...broken('libs/accounts/domain/mappings/mapping-day.js', [mappingDays], {
    'a mapping of another call counts for one that was dropped': [
      "isAsked(requestId) && status !== 'open'",
      "status !== 'open'",
    ],
  }),
  // Openings
  ...broken('libs/ledger/history/ledger-sums.js', ['test/finance/burn.spec.js'], {
    'months that a partner paid lower the burn': [' && ended.payer === OWN', ''],
  }),
  ...broken('libs/ledger/domain/set-thresholds.js', ['libs/ledger/domain/thresholds.spec.js'], {
    'a forecast from before a grant uses up a threshold in days': [' || isForecastOld(account, outlook)', ''],
    'a threshold in days is reported a day late': ['daysLeft <= days', 'daysLeft < days'],
    'an expiring lot that was reported is looked for again': [
      'expiresAt === null || watch.expiring.has(id)\n',
      'expiresAt === null\n',
    ],
  }),
  ...broken('libs/ledger/domain/import-opening.js', [openings, simulatedOpenings], {
    'an opening is imported after a grant': ['grants !== undone ||', ''],
  }),
  ...broken('libs/ledger/domain/import-opening.js', [openings], {
    'a second file is imported beside the first': ['openings.current !== null ||', ''],
    'a hold that a partner pays does not count as a movement before an opening': ['accounts.size > 0 ||', ''],
    'a file that was reversed is imported again': ['throw openingReversed();', ';'],
    'an opening is reversed while a part of it is on hold': ['held === 0n &&', ''],
    'an opening is reversed although a later grant paid for what was spent': ['captured === 0n &&', ''],
    'an opening is reversed while a part of one of its lots is on hold': ['lots.every(', 'lots.some('],
    'an opening is reversed although the balance is less': ['credits > available(books)', 'false'],
    'an opening is imported after a forgotten adjustment with terms': ['adjustments !== 0n ||', ''],
    'an opening is reversed once its lot has expired': ['lots.length === opening.lots.length &&', ''],
    'an opening is reversed although a part of it was corrected': ['!isCorrected(account, opening)', 'true'],
    'an opening is reversed although an adjustment took credits': [
      '!isAdjustedDown(account, opening, readUpTo)',
      'true',
    ],
  }),
  ...broken(charging, [simulatedOpenings], {
    'a charge that was prepared before the opening is held after it': [
      'opening !== null && opening.hash !== elsewhere.hash && all.some(hasSubjects)',
      'false',
    ],
  }),
  ...broken('libs/ledger/charging/paid-elsewhere.js', [simulatedOpenings], {
    'paid subjects take effect before the entry of the opening': [
      'if (opening === null)\n        return new Set();',
      'if (opening === null) return new Set(subjects);',
    ],
  }),
  ...broken('libs/ledger/charging/paid-elsewhere.js', [importedOpening], {
    'a subject that was paid for one agent is free for all agents': [
      'return agentId === whose.agentId;',
      'return true;',
    ],
  }),
  ...broken('libs/signals/detection/earlier-launches.js', [importedOpening], {
    'a run detects a subject that was paid elsewhere': [
      'new Set([...detected, ...paid])',
      'new Set(detected)',
    ],
    'a person who was paid for elsewhere is charged again': [' || paid.has(subjectOf(person))', ''],
  }),
  ...broken('libs/monitoring/months-elsewhere.js', [importedOpening], {
    'a month that was paid elsewhere is charged': ['if (until <= from)', 'if (true)'],
  }),
  ...broken('libs/ledger/commands/opening-file.js', ['test/ops/credits-import.spec.js'], {
    'an opening exceeds its closing': ['if (parseCredits(declared.credits) !== credits)', 'if (false)'],
  }),
  ...broken('libs/ledger/domain/lots.js', ['test/simulation/lots-at-once.spec.js', lots], {
    'a hold takes from a lot out of order while others write': ['left.priority - right.priority ||', ''],
  }),
  ...broken('projections/ledger/credit-balances/credit-balances.projection.js', ['test/ops/lots.spec.js'], {
    'a balance counts expired credits whose expiry is not recorded yet': [
      'expiresAt <= now ? sum + fromStored(credits) : sum',
      'sum',
    ],
  }),
  ...broken(postings, [moneyPath], {
    'a withdrawal can take held credits': ['const free = available(books);', 'const free = granted(books);'],
  }),
  // Keys
  ...broken(holds, [moneyPath], {
    'the key of a charge is dropped': [
      'account.charges.byKey.get(next.key) ?? seen.get(next.key);',
      'seen.get(next.key);',
    ],
    'a key twice in one batch is two movements': [
      'account.charges.byKey.get(next.key) ?? seen.get(next.key);',
      'account.charges.byKey.get(next.key);',
    ],
    'a replay answers with the newly allocated movement': [
      'return { key, movementId: charge.movementId, status: charge.status, replayed };',
      'return { key, movementId, status: charge.status, replayed };',
    ],
    'a used key with another amount counts as a replay': [
      'if (earlier.credits !== wanted.credits) {',
      'if (earlier.credits === -1n) {',
    ],
    'a used key for another product counts as a replay': [
      'if (earlier.product !== wanted.product) {',
      "if (earlier.product === '') {",
    ],
  }),
  ...broken(postings, [moneyPath], {
    'the key of a grant is ignored': ['if (wanted.key === undefined)', 'if (wanted.key !== null)'],
  }),
  ...broken(postings, [moneyPath, operators], {
    'a withdrawal with the key of a grant counts as a replay': [
      'if (earlier.kind !== kind) {',
      "if (earlier.kind === '') {",
    ],
  }),
  // Ends of movements
  ...broken(settling, [moneyPath], {
    'a released movement can be captured': ["if (now !== 'held')", "if (now === 'captured')"],
    'a captured movement can be released': ["if (now !== 'held')", "if (now === 'released')"],
    'a second capture is refused': ['if (now === status)', "if (now === status && status === 'released')"],
    'a sweep releases holds that have not expired': [
      '.filter(({ heldAt }) => heldAt < heldBefore)',
      '.filter(() => true)',
    ],
  }),
  ...broken(settling, [races], {
    'an expired hold is kept': ['.filter(({ heldAt }) => heldAt < heldBefore)', '.filter(() => false)'],
    'a sweep releases a hold that was just captured': [
      '.flatMap((movementId) => account.books.openHolds.get(movementId) ?? [])',
      ".flatMap((movementId) => account.charges.byMovement.get(movementId) ?? []).map((charge) => ({ ...charge, heldAt: '' }))",
    ],
  }),
  // Who pays
  ...broken(holds, [moneyPath], {
    'the payer of a movement is forgotten': [
      'credits: toStored(credits), product, payer, cause }',
      "credits: toStored(credits), product, payer: 'workspace', cause }",
    ],
    'an exempt workspace gets movements': [
      "case 'exempt':\n            return null;",
      "case 'exempt':\n            return 'workspace';",
    ],
    'a partner-paid hold is refused for lack of credits': [
      "payer === 'workspace' ? available(account.books) : headroom(account, payer)",
      'available(account.books)',
    ],
  }),
  ...broken(books, [moneyPath], {
    'payments of a partner reduce the balance of the workspace': [
      'charge(books, payer, credits, 0n);',
      "charge(books, 'workspace', credits, 0n);",
    ],
    'a capture is charged to the present payer': [
      'charge(books, hold.payer, 0n, hold.credits);',
      "charge(books, books.billing.mode === 'partner' ? `partner:${books.billing.partnerId}` : 'workspace', 0n, hold.credits);",
    ],
  }),
  // Exact numbers
  ...broken('libs/ledger/history/spend-totals.js', [totals], {
    'a float in a sum': [
      '(totals.get(name) ?? 0n) + credits',
      'BigInt(Math.trunc((Number(totals.get(name) ?? 0n) / 1e6 + Number(credits) / 1e6) * 1e6))',
    ],
  }),
  ...broken('libs/kernel/values/credits.js', [amounts], {
    'an input amount is a float': [
      "BigInt(whole) * MICROS_PER_CREDIT + BigInt(fraction.padEnd(6, '0'))",
      'BigInt(Math.trunc(Number(`${whole}.${fraction}`) * 1e6))',
    ],
    'an output amount is a float': ['micros / MICROS_AS_NUMBER', 'micros * 0.000001'],
    'an amount of exactly the limit is refused': ['if (micros > MAX_CREDITS)', 'if (micros >= MAX_CREDITS)'],
  }),
  ...broken(postings, [decisions], {
    'a total one over the limit is granted': [
      'if (granted(account.books) + credits > MAX_CREDITS) {',
      'if (granted(account.books) + credits > MAX_CREDITS + 1n) {',
    ],
    'a total of exactly the limit is refused': [
      'if (granted(account.books) + credits > MAX_CREDITS) {',
      'if (granted(account.books) + credits >= MAX_CREDITS) {',
    ],
  }),
  // Time, chain, statement
  ...broken(deciding, [moneyPath], {
    'recording times may decrease': ['now > lastRecordedAt ? now : lastRecordedAt', 'now'],
    'the group is sealed with the hash before the group': [
      'hash = decider.seal(hash, {',
      'hash = decider.seal(headHash, {',
    ],
  }),
  ...broken('libs/ledger/domain/seal.js', [seals, verification], {
    'the hash chain omits the actor': [
      "const metadata = 'hash' in entry.metadata ? withoutSeal(entry.metadata) : entry.metadata;",
      'const { hash: _own, actorId: _actor, ...metadata } = entry.metadata;',
    ],
    'the hash of an entry ignores the entry before': [
      '`${previousHash}\\n${canonicalJson(sealed)}`',
      'canonicalJson(sealed)',
    ],
  }),
  ...broken('libs/ledger/history/moment.js', [statements, properties], {
    'the state as of a time includes that time': ['recordedAtOf(entry) >= at)', 'recordedAtOf(entry) > at)'],
  }),
  ...broken('libs/ledger/history/moment.js', [statements, operatorLedger], {
    'the state as of a revision excludes that revision': [
      'entry.revision > revision;',
      'entry.revision >= revision;',
    ],
  }),
  ...broken('libs/ledger/history/walk-period.js', [statements, properties], {
    'the opening of a statement is off by one row': [
      'if (!isOpen && (from === null || at >= from))',
      'if (!isOpen && (from === null || at > from))',
    ],
    'a statement includes the first row of the next': [
      '(to !== null && at >= to)',
      '(to !== null && at > to)',
    ],
  }),
  ...broken('libs/ledger/history/statement.js', [properties], {
    'a capture changes the running balance a second time': [
      "movementLine('capture', ended, 0n, ended.credits)",
      "movementLine('capture', ended, -ended.credits, ended.credits)",
    ],
  }),
  // The command path
  ...broken(groups, [moneyPath], {
    'a response is sent before the append': [
      'const { position } = await whileAppending(',
      'answerDecided(this.on, outcomes.filter(({ kind }) => kind === "done"), new Set(), memory.position); const { position } = await whileAppending(',
    ],
    'a refusal from a cached state is answered without reading the tail': [
      'const moved = !this.isProven && (await this.refresh());',
      'const moved = false;',
    ],
    'the state of a revision conflict is kept': [
      'rewind();\n            if (error instanceof WrongExpectedRevision)',
      'if (!(error instanceof WrongExpectedRevision)) rewind();\n            if (error instanceof WrongExpectedRevision)',
    ],
    'an index that is ahead of the state in memory is used': [
      'if (recalled !== null)\n                await this.refresh();',
      '',
    ],
  }),
  ...broken(deciding, [moneyPath], {
    'a speculative refusal is answered immediately': [
      "outcomes.push({ pending, kind: 'failed', error });\n            continue;",
      "{ pending.reject(error); outcomes.push({ pending, kind: 'failed', error }); }\n            continue;",
    ],
  }),
  ...broken(groups, [moneyPath, commandPath], {
    'after a revision conflict the own command is not searched': [
      'this.answerFound((await memory.readTail(this.ownEvents(expected))).events);',
      'await memory.readTail();',
    ],
  }),
  ...broken(groups, [commandPath, faults], {
    'a repeated command of unknown outcome is not searched': [
      'if (doubtfulAfter !== null) {',
      'if (doubtfulAfter === undefined) {',
    ],
  }),
  ...broken(appending, [moneyPath], {
    'after a revision conflict the same events are appended at the present revision': [
      'if (!(error instanceof StoreUnavailable))\n                throw error;',
      "if (error.name === 'WrongExpectedRevision') { expected = error.actual === 'no-stream' ? -1n : error.actual; continue; }\n if (!(error instanceof StoreUnavailable)) throw error;",
    ],
  }),
  ...broken(appending, [commandPath, faults], {
    'a lost acknowledgement counts as a failure': ['if (attempt + 1 >= tries ||', 'if (attempt + 1 >= 1 ||'],
  }),
  ...broken('libs/kernel/commands/stream-memory.js', [moneyPath, forgetting], {
    'the state of a failed append is kept': [
      'back();\n            this.revision = revision;',
      'this.revision = revision;',
    ],
  }),
  ...broken('libs/kernel/commands/stream-memory.js', [commandPath], {
    'a state in memory counts as current without its last event': [
      'return this.loaded && this.revision === end.revision && this.headId === end.id;',
      'return this.loaded;',
    ],
  }),
  ...broken('libs/ledger/domain/ledger-memory.js', [forgetting], {
    'an index that is behind the snapshot is used': ['position < forgotten.position', 'false'],
    'open holds are forgotten': ["status === 'held' || !isOld(changedAt)", '!isOld(changedAt)'],
  }),
  ...broken('libs/ledger/domain/charges.js', [forgetting], {
    'ended movements are forgotten by the time of their hold': [
      '{ ...charge, status, changedAt }',
      '{ ...charge, status }',
    ],
  }),
  ...broken('libs/ledger/domain/close-month.js', ['libs/ledger/domain/close-month.spec.js'], {
    'a month is sealed before it is over': ['!isMonthOver(month, now)', 'false'],
  }),
  ...broken(settling, ['test/simulation/hold-expiry.spec.js'], {
    'a recorded detection is released when its hold expires': [
      'recorded?.has(hold.movementId) === true',
      'false',
    ],
  }),
  ...broken('libs/kernel/commands/ids.js', [moneyPath], {
    'two processes reserve the same ids': ['last: first + size - 1 };', 'last: first - 1 };'],
  }),
  // Read models and the API
  ...broken('libs/projection-engine/slice.js', [projecting], {
    'an event that is delivered twice is folded twice': ['if (position >= recorded.position)', 'if (false)'],
  }),
  ...broken('projections/ledger/credit-balances/credit-balances.projection.js', [balances], {
    'the held sum of the balance is not reduced by a release': [
      'const held = plus(balance.held, -ownCredits(balance, end));',
      'const { held } = balance;',
    ],
    'a payment of a partner lowers the balance when it ends': [
      "payer === 'workspace' ? fromStored(credits) : 0n",
      'fromStored(credits)',
    ],
  }),
  ...broken('apps/api/src/ledger/newest-movements.js', [usagePaging], {
    'the cursor is off by one row': [
      'cursors.encode(scope, { keys: [last.createdAt, last.id] })',
      'cursors.encode(scope, { keys: [last.createdAt, last.id + 1] })',
    ],
    'the cursor forgets rows of the same moment': [
      'cursors.encode(scope, { keys: [last.createdAt, last.id] })',
      'cursors.encode(scope, { keys: [last.createdAt, 0] })',
    ],
  }),
  ...broken('apps/api/src/ledger/usage/list-usage.query.js', [usage], {
    'date_to of usage is inclusive': ['{ lt: to }', '{ lte: to }'],
  }),
  // Paid runs
  ...broken('libs/signals/runs/run-charges.js', [runs, killedRuns], {
    'a run without credits asks for credits again': ['if (!dry) {', 'if (true) {'],
  }),
  ...broken('libs/signals/runs/complete-batch.js', [runs, killedRuns], {
    'a batch is captured before it is recorded': [
      'const dropped = candidates.length - kept.length;',
      'const { settleCharges } = await import("#ledger/charging/settle-charges.js"); await settleCharges(host, { workspaceId: run.work.workspaceId, context: run.context }, `batch:${batch}:early`, { capture: [...paid.values()].filter((movementId) => movementId !== null) }); const dropped = candidates.length - kept.length;',
    ],
  }),
  ...broken(charging, [runs, killedRuns], {
    'a dropped match is recorded': [
      "if (status === 'refused' || status === 'released')",
      "if (status === 'released')",
    ],
  }),
  // Live passes
  ...broken(
    'libs/signals/domain/launches/launch.events.js',
    [launchRules, 'projections/signals/monitoring-passes/monitoring-passes.spec.js'],
    {
      'a live pass counts as the daily pass': [
        "trigger === 'monitoring' && live === undefined",
        "trigger === 'monitoring'",
      ],
    },
  ),
  ...broken('libs/signals/domain/launches/launches.js', [launchRules], {
    'a live pass starts during a run of its agent or setup': ['now) => running.length > 0 ||', 'now) =>'],
  }),
  ...broken(runProcess, [livePasses], {
    'a run searches during a live pass of its agent or setup': [
      'const work = await behindLivePass(host, due, signal);',
      'const work = due;',
    ],
  }),
  ...broken('libs/signals/live/launch-live-pass.js', [livePasses], {
    'a live pass is made although it would record nothing': [
      'if (!(await findsSomething(host, source, request, live, signal)))',
      'if (false)',
    ],
  }),
  // Cancelled runs
  ...broken(runProcess, [cancelledRuns, cancelRoute], {
    'a cancelled run starts its next batch': ['return CANCELLED;', 'return null;'],
  }),
  ...broken(run, [cancelling], {
    'a batch is prepared after its run was cancelled': ['run.cancelled || ', ''],
  }),
  ...broken(run, [cancelling, cancelledRuns], {
    'a run that is cancelled during its last batch counts as completed': ['run.cancelled ? CANCELLED : ', ''],
  }),
  ...broken('libs/signals/domain/runs/cancel-run.js', [cancelling, cancelRoute], {
    'a run that has ended is cancelled': ['if (isTerminal(run))', 'if (false)'],
  }),
  ...broken('libs/signals/launching/cancel-run.js', [cancelRoute], {
    'a run of another workspace is cancelled': [
      'if (ownedBy(workspaceId, known) === null)',
      'if (known === null)',
    ],
  }),
  // Mappings of companies and accounts
  ...broken(profilePayment, [largeMappings], {
    'the people of a mapping are paid all together or not at all': ["wanted, 'prefix')", "wanted, 'all')"],
  }),
  ...broken('libs/accounts/mappings/analyse-company.js', [largeMappings], {
    'the paid people of a mapping are not the first by lead id': [
      '.toSorted((one, other) => one.leadId - other.leadId)',
      '.toSorted((one, other) => other.leadId - one.leadId)',
    ],
  }),
  ...broken(profilePayment, [accountCharges], {
    'a person of a mapping is paid for by each request of a day': [
      'key: `profile:${companyId}:${requestDate}:${personRef}:${attempt}`',
      'key: `profile:${requestId}:${personRef}:${attempt}`',
    ],
  }),
  ...broken('libs/accounts/mappings/account-charges.js', [accountCharges], {
    'the mapping of an account that is not covered keeps its first holds': [
      'await settleRequest(host, work, requestId, recorded);',
      '',
    ],
  }),
  ...broken('libs/accounts/mappings/charge-rounds.js', [accountCharges], {
    'a released hold for the mapping of an account counts as payment': [
      "const released = subjects.filter((subject) => known(subject)?.status === 'released');",
      'const released = [];',
    ],
  }),
  ...broken('libs/accounts/domain/mappings/mapping-day.js', [mappingDays], {
    'a mapping is launched twice for one persona and day': [
      "if (earlier?.status === 'launched' && reason === undefined)",
      'if (false)',
    ],
  }),
  ...broken('libs/accounts/mappings/passed-requests.js', [enrichmentEnds], {
    'a mapping that was completed today is launched again': [
      'outcome !== null && PASSING.has(outcome)',
      'outcome !== null',
    ],
  }),
  ...broken('libs/accounts/mappings/map-company.process.js', [enrichmentEnds], {
    'the launch of a mapping that failed is kept': [
      'isCompleted ? state.movementId : null',
      'state.movementId',
    ],
  }),
  ...broken('libs/accounts/domain/mappings/mapping.js', [enrichmentEnds, accountEnds], {
    'a failed mapping continues to record': ['if (state.fenced.has(requestId))', 'if (false)'],
  }),
  ...broken('libs/ledger/charging/release-expired-holds.process.js', [enrichmentEnds, accountEnds], {
    'a day in a blocked workspace fails its suspended mapping': ['restsWhileBlocked: true,', ''],
  }),
  ...broken('projections/identities/companies/companies.projection.js', ['test/api/late-refusal.spec.js'], {
    'the company of a mapping that was refused late is shown': [
      'event.data.provisional === true ? NOBODY : ',
      '',
    ],
  }),
  // The quota of top accounts
  ...broken(
    'libs/accounts/domain/top-accounts/submit-accounts.js',
    ['libs/accounts/domain/top-accounts/submit-accounts.spec.js'],
    {
      'earlier submissions do not count against the quota': [
        'Math.max(0, quota - acceptedAccounts)',
        'quota',
      ],
      'an account that was submitted before counts against the quota again': ['!keys.has(name) && ', ''],
    },
  ),
  // Monitored accounts
  ...broken(months, [monitoredMonths], {
    'the key of a monitored month omits the business unit': [
      '`monitoring:${companyId}:${personaId}:${calendarMonth}`',
      '`monitoring:${companyId}:${calendarMonth}`',
    ],
  }),
  ...broken(months, [monthFacts, monitoredMonths], {
    'a monitored month that begins on the 31st loses its day': [
      'anchorDay === null ? monthFrom(lapsesAt) : monthFrom(lapsesAt, anchorDay)',
      'monthFrom(lapsesAt)',
    ],
    'a monitored month that was refused begins where the last one ended': ['wasRefused || isLate', 'isLate'],
  }),
  ...broken(months, [monthFacts, monitoredKills], {
    'missed monitored months are all charged': ['wasRefused || isLate', 'wasRefused'],
  }),
  ...broken('libs/monitoring/charge-months.js', [monitoredKills], {
    'a monitored month that another worker has paid later is paid again': [
      'calendarMonthsBetween(lapsesAt, month.until)',
      'calendarMonthsBetween(lapsesAt, month.from)',
    ],
  }),
  ...broken('libs/ledger/charging/charge-in-advance.js', [monitoredKills], {
    'a paid monitored month is not searched in the ledger': ['!isPaid(account, each)', 'true'],
  }),
  ...broken('libs/monitoring/domain/coverage-facts.js', [monitoredMonths], {
    'starting again within a paid month of a monitored account charges': [
      'coveredUntil !== null && coveredUntil >= wantedSince ? coveredUntil : wantedSince',
      'wantedSince',
    ],
  }),
  ...broken(units, [monitoredMonths], {
    'a stopped monitored account loses its paid month': [
      'stoppedAt: data.unwantedAt,',
      'stoppedAt: data.unwantedAt, coveredUntil: null,',
    ],
  }),
  ...broken(units, ['projections/monitoring/monitored-units/monitored-units.spec.js'], {
    'a monitored account that was paid meanwhile is refused': ['each.since === lapsesAt', 'true'],
    'a monitored account that was stopped is monitored again by a late payment': [
      "status: isWanted ? 'monitored' : unit.status",
      "status: 'monitored'",
    ],
    'a monitored account that was stopped while due was not covered': [
      '...coveredFor(whileDue(unit, data.unwantedAt)),',
      '',
    ],
  }),
  ...broken(
    'projections/monitoring/monitoring-work/monitoring-work.projection.js',
    ['projections/monitoring/monitoring-work/monitoring-work.spec.js'],
    {
      'picks of monitored accounts that changed since they were followed are dropped': [
        'at !== null && at > upTo ? at : null',
        'null',
      ],
      'a grant that a refusal of monitored accounts missed waits for the next hour': [
        'retryDueAt !== null && retryDueAt < now ? retryDueAt : now',
        'retryDueAt ?? now',
      ],
    },
  ),
  ...broken('libs/monitoring/domain/months-facts.js', [monthFacts], {
    'the renewal of a monitored account has the day of a shorter month': [
      'last.coveredUntil === lapsesAt ? last.anchorDay : null',
      'null',
    ],
  }),
  ...broken('libs/monitoring/write-requests.js', [monitoringSummary], {
    'a stop of a monitored account gives credits back': [
      'const endsAt = host.clock.now().toISOString();',
      "for (const { after } of changes) if (after.size === 0) { const { grant } = await import('#ledger/domain/post-credits.js'); const { creditAccount } = await import('#ledger/domain/credit-account.js'); const movementId = await host.ids.next('movement'); await host.commands.handle(creditAccount, String(task.workspaceId), grant({ movementId, credits: 5000000n, reason: 'refund' }), { context: stepOf(task, `refund:${movementId}`), answer: () => null }); } const endsAt = host.clock.now().toISOString();",
    ],
  }),
  ...broken(dueUnits, [monitoredMonths], {
    'of monitored accounts that are due at the same time the last ones are paid first': [
      "['unit', 'asc'],",
      "['unit', 'desc'],",
    ],
  }),
  ...broken(payMonths, ['test/api/caps.spec.js'], {
    'a month keeps the reason of its first refusal': ['outcome !== unit?.refusal', 'false'],
  }),
  ...broken(payMonths, [monitoringSummary], {
    'due monitored accounts are paid before accounts that are not covered': [
      'if (work !== null && retryDueAt !== null && retryDueAt <= host.clock.now().toISOString()) {',
      "const paidFirst = await payDueMonths(part); if (paidFirst !== 'tried') return paidFirst; if (work !== null && retryDueAt !== null && retryDueAt <= host.clock.now().toISOString()) {",
    ],
  }),
  ...broken('libs/monitoring/month-price.js', [monitoringSummary], {
    'an exempt workspace needs a price for monitored accounts': ["billing.mode === 'exempt' ? 0n : ", ''],
  }),
  ...broken(payUnits, [accountMonitoring], {
    'a blocked workspace pays for monitored accounts': ['if (isBlocked)', 'if (false)'],
  }),
  ...broken('libs/monitoring/summary.js', [accountMonitoring], {
    'one business unit lacks what the monitored accounts of all units lack': [
      'forCredits.filter(({ by }) => isShown(by[0]))',
      'forCredits',
    ],
  }),
  ...broken('libs/monitoring/summary.js', [monitoringSummary], {
    'monitored accounts of an exempt workspace have a price': ["billing === 'exempt' ? 0n : ", ''],
  }),
  ...broken('libs/monitoring/business-units.js', [monitoredMonths], {
    'an archived persona keeps its monitored accounts': ['.filter(({ archived }) => !archived)', ''],
  }),
  ...broken('libs/lists/domain/lists/list-monitoring.js', [monitoredMonths], {
    'unfollowed members are monitored': [
      'return watchedBy(state).filter(',
      'return (state.deleted || state.archivedAt !== null ? [] : [...state.membership.byId.values()]).filter(',
    ],
  }),
  ...broken('libs/lists/domain/lists/list.js', [accountMonitoring], {
    'setting a whole list does not change members that were monitored one by one': [
      'state.membership.monitoring.clear();',
      '',
    ],
  }),
  ...broken('projections/monitoring/monitoring-work/monitoring-work.projection.js', [monitoredMonths], {
    'after a top-up monitored accounts wait for their next hour': [
      'retryDueAt: recordedAtOf(event) };',
      'retryDueAt: work.retryDueAt };',
    ],
  }),
  ...broken(
    'libs/monitoring/domain/account-monitoring.js',
    ['libs/monitoring/domain/account-monitoring.spec.js', monitoredMonths],
    {
      'uncovered monitored accounts are retried every two hours': [
        'anchorMs + hours * HOUR_MS',
        'anchorMs + 2 * hours * HOUR_MS',
      ],
    },
  ),
  ...broken('libs/signals/launching/setup-source.js', [monitoredCoverage], {
    'a detection about a monitored account is charged': [
      "if (audiences.includes('covered_accounts'))",
      'if (false)',
    ],
  }),
  ...broken('libs/monitoring/coverage.js', [monitoredCoverage], {
    'monitored accounts are covered for every persona': [
      'maybeCovered(workspaceId, personaId, moment)',
      '{ where: { workspaceId } }',
    ],
    'monitored accounts are covered after their month': [
      'isWatchedAt(unit, moment, isExempt)',
      'unit.coveredUntil !== null',
    ],
  }),
  // Charges in answers
  ...broken('projections/signals/detections/signal-prices.js', [signalPrices], {
    'a free signal is shown with the movement of the first signal of its page': [
      'return FREE;',
      'return { credits: 10, movement_id: 1 };',
    ],
  }),
  ...broken('libs/signals/launching/signals-of-charges.js', [signalPrices], {
    'the charge of a signal of another workspace is shown': [
      'return ownedBy(workspaceId, signal)?.movementId ?? null;',
      'return signal?.movementId ?? null;',
    ],
  }),
  ...broken('libs/ops/support/run-command.js', [creditHeaders], {
    'a repeated hold is reported as charged again': ['replayed !== true && ', ''],
  }),
  ...broken('libs/ledger/domain/charged-since.js', [creditHeaders], {
    'months that were charged before are reported again': ['changedAt > revision && ', ''],
  }),
  ...broken('libs/monitoring/charged-months.js', [creditHeaders], {
    'months of other accounts are reported as charged': [
      'companyIds.has(companyOfMonthKey(key) ?? 0)',
      'true',
    ],
  }),
  // Requests of an attacker or a careless operator
  ...broken('libs/http/connections.js', [unreadAnswers], {
    'unread responses of all clients together can fill the memory': [
      'for (const connection of longestFirst) {',
      'for (const connection of []) {',
    ],
    'a client that reads nothing is never cut': ['now - progressedAtMs >= unreadMs', 'false'],
    'requests are executed before the previous response has been read': [
      'if (!connection.isBusy) {',
      'if (true) {',
    ],
  }),
  ...broken('libs/http/admission.js', ['test/api/rate-limit.spec.js'], {
    'routes without a key are not limited': [
      'ofAddresses(countedAddress(request.ip))',
      '{ ...ofAddresses(countedAddress(request.ip)), retryAfterSeconds: null }',
    ],
  }),
  ...broken('libs/http/request-lifecycle.js', [unreadAnswers], {
    'headers after the 2,000th are silently ignored': [
      'request.raw.rawHeaders.length > 2 * MOST_HEADERS',
      'false',
    ],
  }),
  ...broken('libs/http/answers-kept.js', [unreadAnswers], {
    'a response that changes only with the program is not compressed': [
      'if (coding === null) {',
      'if (true) {',
    ],
  }),
  ...broken('libs/ledger/domain/corrections.js', [decisions], {
    'a correction exceeds its charge': [
      'return sign * credits <= most ? null : { left: most, payer };',
      'return null;',
    ],
    'a charge that a partner paid is given back to the workspace': [
      "charge.status === 'captured' && charge.payer === 'workspace'",
      "charge.status === 'captured'",
    ],
    'a correction gives back more than was withdrawn': ["posting.kind === 'withdrawal' || ", ''],
  }),
  ...broken('libs/ledger/domain/corrections.js', [openings], {
    'a correction gives back more than a reversal took': [" || posting.kind === 'reversal'", ''],
  }),
  ...broken('libs/signals/detection/search-page.js', ['test/sources/end-to-end.spec.js'], {
    'a finding is charged again when its company has another ref': ['...formerSubjects,', ''],
  }),
  ...broken('libs/signals/runs/prepare-batch.js', ['test/api/monitoring-passes.spec.js'], {
    'signals about a company are charged in passes although its signal detection is disabled': [
      "launch.trigger === 'manual' ? found",
      'true ? found',
    ],
  }),
  ...broken('libs/identities/claim-companies.js', ['test/api/top-accounts.spec.js'], {
    'a domain that was sent beside a handle makes an account of its own': [
      'if (alias !== null && alias !== stub?.identity)',
      'if (false)',
    ],
  }),
  ...broken('libs/identities/company-refs.js', ['test/api/renamed-companies.spec.js'], {
    'a paid month covers nothing once the handle of the company is another one': [
      "named[index]?.outcome === 'unknown'",
      'false',
    ],
  }),
  ...broken('libs/delivery/webhooks/queue/feed-window.js', ['test/simulation/webhook-queue.spec.js'], {
    'an event of which only a replay has failed is never delivered': [
      "!isReplay || outcome === 'delivered'",
      'true',
    ],
  }),
  ...broken('libs/monitoring/separate-observable.js', ['test/api/monitoring-observable.spec.js'], {
    'a month is charged for an account that cannot be observed': [
      'isStub.has(unit.companyId) && !before.has(unit.companyId)',
      'false',
    ],
    'a month is charged for each name that a company turned out to have': [
      '(isUnknown || isPaidElsewhere ? hidden : observable)',
      '(isUnknown ? hidden : observable)',
    ],
  }),
  ...broken('libs/accounts/mappings/analyse-company.js', ['test/api/account-pipelines.spec.js'], {
    'a company is mapped for each top account that turned out to be it': [
      "(await isAnyTopAccount(host, before)) ? 'no page' : facts.ref",
      'facts.ref',
    ],
  }),
  ...broken('apps/cli/src/printable.js', ['apps/cli/src/print-result.spec.js'], {
    'control characters of customers reach the terminal': [
      'return text.replace(UNPRINTABLE, (character) => SHORT.get(character) ?? escaped(character));',
      'return text;',
    ],
  }),
  ...broken('apps/cli/src/write-export.js', ['apps/cli/src/write-export.spec.js'], {
    'an export overwrites a store': [
      'if (isOfService(place, settings) || (await isDatabase(place)))',
      'if (false)',
    ],
    'an export overwrites an existing file': ['if (!overwrite)', 'if (false)'],
  }),
  ...broken('libs/sqlite/file-place.js', ['test/runtime/replaced-stores.spec.js'], {
    'readiness does not detect that the event store file was replaced': [
      'found.dev === opened.dev && found.ino === opened.ino',
      'true',
    ],
  }),
  ...broken('libs/sources/domain/source.js', ['libs/sources/domain/source.spec.js'], {
    'a source that moves back and forth records every move': [
      'state.url === url || isRecent',
      'state.url === url',
    ],
  }),
  ...broken('libs/sources/poll-source.js', ['test/sources/polls.spec.js'], {
    'one empty answer of a board closes all its postings': ['items > 0 || empty >= EMPTY_IS_EMPTY', 'true'],
    'a sitemap whose pages answer 404 is read as an empty one': [
      '(isConfirmed && !read.isPaged)',
      'isConfirmed',
    ],
    'a "not modified" answer of a source confirms an empty answer': [
      'suspects.length > 0 || (empty > 0 && empty < EMPTY_IS_EMPTY)',
      'false',
    ],
    'a source that returns to its earlier content after a stopped poll is taken as unchanged': [
      'onBegun: (memory) => (left = memory)',
      'onBegun: () => undefined',
    ],
    'the rest of a replaced board is news after a stopped poll': [
      'closes ? (before.openBefore ?? open.length) : null',
      'closes ? open.length : null',
    ],
    'a poll that comes too early keeps its source from the others for two minutes': [
      'await settle(before);',
      '',
    ],
    'a feed that was not modified is read in the hours that it excludes': [
      'skipHours: before.skipHours',
      'skipHours: []',
    ],
    'a source that fails with an error of the service is polled every minute': [
      'saysNothing ? left',
      'true ? left',
    ],
    'the file of one customer is read for several workspaces': ['kind.isFile && !source.isShared', 'false'],
  }),
  ...broken('libs/sources/before-writing.js', ['test/sources/polls.spec.js'], {
    'a source that returns to its earlier content after a crashed poll is taken as unchanged': [
      'keptMemory(before)',
      'keptMemory(poll.before)',
    ],
    'a poll writes items after another process has polled its source': ['if (!isKept)', 'if (false)'],
  }),
  ...broken('libs/sources/source-subject.js', ['test/sources/polls.spec.js'], {
    'a source makes a second company when the observed one has left the domain': [
      'isUnobserved && readFor !== null',
      'false && readFor !== null',
    ],
  }),
  ...broken('libs/sources/item-ref.js', ['test/sources/polls-and-charges.spec.js'], {
    'an item of a board has another ref at each reading': [
      '? prefix + name',
      '? `${prefix}${name}-${Date.now()}`',
    ],
  }),
  ...broken('libs/sources/robots.js', ['test/sources/hostile.spec.js'], {
    'a host can request a pause of any length': [
      'Math.min(rules.getCrawlDelay(PRODUCT) ?? 0, LONGEST_PACE_S)',
      '(rules.getCrawlDelay(PRODUCT) ?? 0)',
    ],
    'the comparison of robots.txt has no time limit': ['text.length * asked.length > MOST_COMPARED', 'false'],
  }),
  ...broken('libs/sources/polite-client.js', ['test/sources/hostile.spec.js'], {
    'a reservation of text and data mining after a comment is ignored': [
      'before !== null',
      'before !== null && false',
    ],
    'a source is asked before the turn of its host': [
      'await pause(waitMs, signal)',
      'void pause(waitMs, signal)',
    ],
    'a poll waits half an hour for the turn of its first request': [
      'isBegun ? pollEndsAtMs : 0',
      'pollEndsAtMs',
    ],
  }),
  ...broken('libs/sources/polite-client.js', ['test/sources/polls.spec.js'], {
    'a poll is put off and begins again when the turn of its second page is late': [
      'isBegun ? tooLate(requestMs)',
      'false ? tooLate(requestMs)',
    ],
    'a poll does not wait longer than a minute for the turn of its second page': [
      'isBegun ? pollEndsAtMs : 0',
      '0',
    ],
  }),
  ...broken('libs/sources/kinds/jsonld.js', ['test/sources/polls.spec.js'], {
    'a page of a sitemap that asks for a person once closes its posting': ['shownBefore.has(page)', 'false'],
  }),
  ...broken('libs/sources/source-reading.js', ['test/sources/polls.spec.js'], {
    'a source is gone if a part of it is gone': ["outcome === 'failed'", "outcome !== 'unchanged'"],
  }),
  ...broken('libs/identities/observed-facts.js', ['libs/identities/observed-facts.spec.js'], {
    'a company that a source made is newer than an observed one': [
      'isMade(company.ref) ? 0 : company.rev',
      'company.rev',
    ],
    'the open positions of a lead are listed after the ended ones': ["endDate ?? '9999'", "endDate ?? '0'"],
  }),
  ...broken('libs/identities/locations/location-table.js', ['libs/identities/locations/locations.spec.js'], {
    'a city is in the country of the last one of its name and not of the largest': [
      'pop > (found.get(spelling)?.pop ?? -1)',
      'true',
    ],
    'a town of any size is a country': ['pop < LARGE_CITY', 'false'],
  }),
  ...broken('libs/network/moves.js', ['libs/network/moves.spec.js'], {
    'a left position ends with a position at another company': [
      'isSameCompany(position, from, nameOf) === true',
      'true',
    ],
  }),
  ...broken('libs/signals/detection/search-page.js', ['libs/signals/detection/search-page.spec.js'], {
    'the matches of one page do not fit into an append': ['bytes += size;', ''],
  }),
  ...broken(
    'libs/signals/detection/interactions.detector.js',
    ['libs/signals/detection/interactions.detector.spec.js'],
    {
      'a comment that fits both is recorded as discovery before monitoring': [
        'Number(isBrief(right)) - Number(isBrief(left))',
        '0',
      ],
    },
  ),
  ...broken('libs/lists/domain/personas/persona-choice.js', ['libs/lists/domain/personas/personas.spec.js'], {
    'a persona without a job title is chosen for a setup before a complete one': [
      'isNamed(facts.jobTitle) && isNamed(facts.location)',
      'isNamed(facts.location)',
    ],
  }),
  ...broken(
    'libs/accounts/domain/top-accounts/account-requests.js',
    ['libs/accounts/domain/top-accounts/account-requests.spec.js'],
    {
      'a failed request is renewed for an account that was removed': [
        'if (!byCompany.has(company.companyId))\n            return [];\n        const types',
        'const types',
      ],
    },
  ),
  ...broken('libs/sources/kinds/jsonld.js', ['libs/sources/kinds/jsonld.spec.js'], {
    'a page of a sitemap that answers 404 once closes its posting': ['isPaged: isUnsure', 'isPaged: false'],
    'a source with a pattern for its pages reads none': ['page.includes(of.match)', 'false'],
  }),
  ...broken('libs/sources/job-posting-ld.js', ['libs/sources/kinds/jsonld.spec.js'], {
    'a posting with a salary of zero has a salary': [' && number > 0', ''],
  }),
  ...broken('libs/sources/redact-contacts.js', ['libs/sources/redact-contacts.spec.js'], {
    'a number of any length is removed as a telephone number': [
      'digits >= FEWEST_DIGITS && digits <= MOST_DIGITS',
      'true',
    ],
  }),
  ...broken('libs/sources/kinds/form-d.js', ['libs/sources/kinds/form-d.spec.js'], {
    'a notice that is not available yet is never requested again': ['nowMs() - NEW_FOR_MS', 'Infinity'],
  }),
  ...broken('libs/sources/xml-answer.js', ['libs/sources/kinds/boards.spec.js'], {
    'numeric character references in XML are not resolved': ['htmlEntities: true', 'htmlEntities: false'],
    'a DOCTYPE in the text of a posting fails its board': ['OPENING.test(withoutCdata(body))', 'true'],
  }),
  ...broken('libs/sources/plain-text.js', ['libs/sources/kinds/boards.spec.js'], {
    'a title keeps its entities': ['MARKED.test(written)', 'false'],
  }),
  ...broken('libs/sources/board-kind.js', ['test/sources/polls.spec.js'], {
    'a second page that is empty once closes its postings': ['page > 0;', 'false;'],
  }),
  ...broken('libs/sources/board-kind.js', ['test/ops/sources.spec.js'], {
    'a board whose host has moved permanently is requested at the old host': [
      'isOwnHost(board, of) ? ownOrigin(of) : of.baseUrl',
      'of.baseUrl',
    ],
  }),
  ...broken('libs/sources/source-polls.js', ['test/sources/lane.spec.js'], {
    'silent hosts can take every slot of a polling worker': [
      '.length < SLOTS_OF_TROUBLED',
      '.length < SLOTS',
    ],
    'one host gets requests for two sources at the same time': ['hosts.has(host)', 'false'],
  }),
  ...broken('libs/process-engine/partitions.js', ['test/runtime/shared-work.spec.js'], {
    'a worker keeps partitions above its share when another worker starts': [
      'Math.max(0, held.size - own.size)',
      '0',
    ],
    'a worker works beside a worker of an earlier version with another sharing rule': [
      'EARLIER_SLOTS.some((_, index)',
      '[].some((_, index)',
    ],
    'a worker keeps the partitions whose leases it has lost': ['isSure(part.lease)', 'true'],
  }),
  ...broken('libs/projection-engine/share-plan.js', [sharedProjecting], {
    'a share takes the events of all workspaces': [
      'return places[partitionOf(Number(workspaceId))] ?? 0;',
      'return 0;',
    ],
  }),
  ...broken('libs/projection-engine/share-publish.js', [sharedProjecting], {
    'the checkpoint of a read model is that of the fastest share': [
      'placeOfShare(slowest)',
      'placeOfShare(furthest)',
    ],
  }),
  ...broken('libs/projection-engine/share-merge.js', [sharedProjecting], {
    'shares are merged at the position of the slowest one, with the counts of all': [
      'atLeast(view.checkpoint, furthest)',
      'view.checkpoint',
    ],
    'the events that a share has folded are folded again when shares are merged': [
      '{ ...context, takes }',
      '{ ...context }',
    ],
  }),
  ...broken('libs/process-engine/fenced-commands.js', ['test/simulation/shared-work-kills.spec.js'], {
    'a worker that froze and lost its partition sends its next command': ['fence();', ''],
  }),
  ...broken('libs/process-engine/work-queue.js', ['test/runtime/shared-work.spec.js'], {
    'one of several workers does not find the work of workspaces after the first thousand': [
      'MOST_WORKSPACES / share()',
      'MOST_WORKSPACES',
    ],
  }),
  ...broken('libs/process-engine/work-queue.js', ['test/runtime/work-queue.spec.js'], {
    'workspaces that had a turn come before those that had none': [
      '.sort((left, right) => servedAt(left) - servedAt(right))',
      '',
    ],
    'an item that is done is taken again while its view lags behind': ['done.set(id, untilMs);', ''],
  }),
  ...broken('libs/process-engine/due-work.js', ['libs/process-engine/due-work.spec.js'], {
    'late work is not seen behind a hundred items that wait': ['items.length < PAGE', 'true'],
  }),
  ...broken('libs/sources/poll-source.js', ['test/sources/lane.spec.js', 'test/sources/polls.spec.js'], {
    'a restart polls every source': ['dueAtMs > nowMs()', 'false'],
  }),
  ...broken('libs/sources/poll-outcome.js', ['test/sources/polls.spec.js'], {
    'a board that is gone is polled daily again after another failure': [
      'nextPollAtMs: before.isGone',
      'nextPollAtMs: false',
    ],
  }),
  ...broken('libs/sources/poll-outcome.js', ['libs/sources/poll-outcome.spec.js'], {
    'a board that is gone after answers of 404 is never polled again': [
      'before.isGone && before.nextPollAtMs === NEVER_MS',
      'true',
    ],
    'a source is read in the hours that it excludes': ['named.has(new Date(ms).getUTCHours())', 'false'],
  }),
  ...broken('libs/sources/gone-source.js', ['test/sources/polls.spec.js'], {
    'three answers of 404 in a minute mean that a board is gone': [
      'at - before.missingAtMs >= HOUR_MS / 2',
      'true',
    ],
    'a board is never gone if it is polled every twenty minutes': [
      'isSpaced ? at : before.missingAtMs',
      'at',
    ],
  }),
  ...broken('libs/sources/sighting-of.js', ['libs/sources/sighting-of.spec.js'], {
    'a posting whose text is cut within an emoji is lost': [
      'readObservation(storable(line), sentAtMs)',
      'readObservation(line, sentAtMs)',
    ],
  }),
  ...broken('libs/network/copy-network.js', ['test/store-copy/copy-network.spec.js'], {
    'a network is copied into a network with other records': [
      'wanted === null || !isSame(part, wanted, found)',
      'false',
    ],
  }),
  ...broken('libs/network/network-record.js', ['test/store-copy/copy-network.spec.js'], {
    'a copy of a network has own dates instead of window dates': [
      'isDatedApart(observation) ? windowAtMs : happenedAtMs(observation)',
      'happenedAtMs(observation)',
    ],
  }),
  ...broken('libs/network/sqlite/sqlite-network-end.js', ['test/store-copy/copy-network.spec.js'], {
    'a copy of a network omits the previous revision of people': [
      "kind === 'person' ? previous_body : null",
      'null',
    ],
  }),
  ...broken('apps/mcp/src/confirmations.js', ['test/mcp/confirmations.spec.js'], {
    'a confirmed launch can have other arguments': ['asked !== digestOf(agreement)', 'false'],
    'an agreement outlives its ten minutes': ['String(expiresAt) <= clock.now().toISOString()', 'false'],
    'an agreement is valid for every key of a workspace': ['{ apiKeyId: caller.keyId }', '{}'],
  }),
  ...broken('apps/mcp/src/tools/launch-run.tool.js', ['test/mcp/confirmations.spec.js'], {
    'a confirmed launch ignores the quote that the person saw': ['agreed.quoteId === null ? {}', 'true ? {}'],
    'a launch is made although the person declined': ["answered.answer === 'no'", 'false'],
  }),
  ...broken('apps/mcp/src/tools/launch-run.tool.js', ['test/mcp/tools.spec.js'], {
    'an assistant launches without a limit': ['limit === undefined', 'false'],
  }),
  ...broken('libs/http/dispatcher.js', ['test/mcp/tools.spec.js'], {
    'a dispatch ignores unknown fields': ['if (refusal !== null)', 'if (false)'],
  }),
  ...broken('apps/mcp/src/answer-mcp-message.command.js', ['test/mcp/door.spec.js'], {
    'pages of every origin can call the tools': ['origin === undefined || allowed.includes(origin)', 'true'],
    'a batch of messages is counted as one': ['Array.isArray(body)', 'false'],
  }),
  ...broken('apps/console/src/desk.js', ['test/ops/stopped-read-models.spec.js'], {
    'a file of the console is made from stopped read models': ['notes.length > 0', 'false'],
  }),
  ...broken('apps/console/src/desk.js', ['test/console/actions.spec.js'], {
    'a form of the console is accepted from every origin': ['!isOwnOrigin(asked.browser) ||', ''],
    'a form of the console is accepted without its form token': [
      "!provesToken(form.get('form_token'), session.formToken)",
      'false',
    ],
  }),
  ...broken('apps/console/src/desk.js', ['test/console/links.spec.js'], {
    'a read-only link of the console can send forms': ['session.link !== undefined ||\n', '\n'],
  }),
  ...broken('apps/console/src/visits.js', ['test/console/links.spec.js'], {
    'a read-only link of the console shows every workspace': [
      '&& workspaceId !== link.workspaceId',
      '&& false',
    ],
  }),
  ...broken('apps/console/src/sessions.js', ['test/console/compression.spec.js'], {
    'every form of the console carries its form token under the same mask': [
      "randomBytes(MASK_BYTES).toString('base64url')",
      "'mask'",
    ],
  }),
  ...broken('apps/console/src/sessions.js', ['apps/console/src/sessions.spec.js'], {
    'a session of the console never ends': ['nowMs() - session.usedAtMs >= IDLE_MS', 'false'],
  }),
  ...broken('apps/console/src/pages/action.pages.js', ['test/console/terms.spec.js'], {
    'an action of the console is sent although the shown state has changed': [
      'preview.approved !== undefined && preview.approved !== approved',
      'false',
    ],
  }),
  ...broken('apps/console/src/pages/action.pages.js', ['test/console/actions.spec.js'], {
    'an irreversible action of the console needs no second confirmation': [
      "form.get('again') !== 'yes'",
      'false',
    ],
  }),
  ...broken('apps/console/src/charts/foreseen-days.js', ['apps/console/src/charts/foreseen-days.spec.js'], {
    'a chart of the console falls below zero': [
      "Math.max(numberOf(row, 'balance'), least)",
      "numberOf(row, 'balance')",
    ],
  }),
  ...broken('apps/console/src/pages/ledger.page.js', ['test/console/long-ledger.spec.js'], {
    'a page of the console reads every row of its period': ['rows: MOST_ROWS,', ''],
  }),
  ...broken('libs/ledger/commands/ledger-days.js', ['test/console/long-ledger.spec.js'], {
    'the days of a ledger from a first day on start with a balance of 0': [
      'before === null ? 0n : available(before.books)',
      '0n',
    ],
  }),
  ...broken('libs/ledger/commands/ledger-statement.js', ['test/console/long-ledger.spec.js'], {
    'a part of a statement starts again at the first row': [
      'wanted < first ? first :',
      'wanted >= first ? first :',
    ],
  }),
  ...broken('libs/ledger/history/ledger-reader.js', ['test/finance/statement.spec.js'], {
    'cached sums of another history are used': [
      'last !== null && sealOf(last) === known.hash',
      'last !== null',
    ],
    'a stored day determines the first entry of a time without a check of the entries': [
      'if (recordedAtOf(entry) >= at)',
      'if (count === 1 ? recordedAtOf(entry) >= at : entry.revision > revision)',
    ],
  }),
  ...broken('libs/event-store/sqlite/sweep.js', ['test/contract/sqlite-event-store-sweep.spec.js'], {
    'a process that starts reads the whole log for its sweep': [
      'walked ?? beforeOldest(lastLasting)',
      'walked ?? 0',
    ],
    'a short-lived stream is removed although another process has appended to it': [
      'end?.[0] !== position',
      'false',
    ],
  }),
  ...broken('libs/event-store/sqlite/event-writer.js', ['test/contract/sqlite-event-store-index.spec.js'], {
    'places of recent events are never moved in the index of streams': [
      'position % INDEXED_TOGETHER === 0',
      'false',
    ],
  }),
  ...broken('libs/event-store/sqlite/stream-index.js', ['test/contract/sqlite-event-store-index.spec.js'], {
    'the end of a stream is looked up in the table of old places first': ['TABLES.toReversed()', 'TABLES'],
    'places that were moved in the index of streams stay in the table of recent ones': ['clear.run();', ''],
    'the index of streams keeps the places of swept streams': ['statement.run(streamId);', 'void statement;'],
  }),
  ...broken('libs/http/compressed-pages.js', ['test/console/compression.spec.js'], {
    'a page of the console is compressed for browsers that do not accept it': [
      "codingFor(String(request.headers['accept-encoding'] ?? ''))",
      "'br'",
    ],
    'a page of the console is not compressed': ['coding === null ||', 'true ||'],
  }),
  ...broken('libs/read-store/sqlite/document-text.js', ['test/contract/sqlite-read-store.spec.js'], {
    'a text that its column would change is read from the column': ['!CHANGED_IN_COLUMN.test(value)', 'true'],
    'an indexed field that a compact document does not have is read as null': [
      'absent.push(field)',
      'void field',
    ],
  }),
  ...broken('libs/read-store/sqlite/instants.js', ['test/contract/sqlite-read-store.spec.js'], {
    'a text that is no instant is the same as the next instant': [
      'firstNotLess(text) - 0.5',
      'firstNotLess(text)',
    ],
  }),
  ...broken('libs/delivery/event-feed.js', ['test/simulation/webhook-parked.spec.js'], {
    'a webhook is sent from a read model in which the workspace is parked': [
      'readModelsOf(readModels, engine.isParked, workspaceId)',
      'readModels',
    ],
    'the feed of a parked workspace continues after the event where it stopped': [
      'standing.parkedAt === null ? {}',
      'true ? {}',
    ],
    'the position of an endpoint counts as gone while its event is parked': [
      '?.parkedAt !== null',
      '?.parkedAt === undefined',
    ],
  }),
  ...broken(
    'projections/delivery/event-feed/event-feed.projection.js',
    ['test/store-copy/moving-house.spec.js'],
    {
      'a cursor of the feed is the position of its event in one store': [
        'feedEntryId(event.id, place)',
        'feedEntryId(event.position, place)',
      ],
    },
  ),
  ...broken('libs/delivery/webhooks/queue/feed-window.js', ['test/simulation/webhook-parked.spec.js'], {
    'webhooks skip parked events when they are folded': ['hasMore || isStopped', 'hasMore'],
  }),
  ...broken('libs/delivery/event-feed.js', ['test/simulation/feed-beginning.spec.js'], {
    'a replay begins behind events of its time because an expiry was recorded late': [
      '!MAY_BE_LATE.has(type)',
      'true',
    ],
  }),
  ...broken('libs/delivery/feed-stream.js', ['test/simulation/feed-stream.spec.js'], {
    'a stream of events outlives its key': ['!(await mayGoOn())', 'false'],
    'a silent stream of events has no heartbeat': [
      'if (!(await signal.within(beatMs)))',
      'if (!(await signal.within(beatMs)) && false)',
    ],
    'an event that arrives while a page is read is sent only at the next heartbeat': [
      'if (isAwake)',
      'if (false)',
    ],
  }),
  ...broken(
    'libs/delivery/webhooks/queue/requests-in-flight.js',
    ['test/simulation/webhook-parked.spec.js'],
    {
      'an attempt that failed in this process is repeated immediately': [
        'restUntilMs = nowMs() + AFTER_FAILURE_MS',
        'restUntilMs = 0',
      ],
    },
  ),
  ...broken('libs/delivery/webhooks/queue/attempts.js', ['test/simulation/webhook-kills.spec.js'], {
    'a failed delivery is reported before its row is stored': [
      'await records.putRow(key, row);',
      'void records.putRow(key, row);',
    ],
  }),
  ...broken('libs/delivery/webhooks/queue/endpoint-queue.js', ['test/simulation/webhook-kills.spec.js'], {
    'an event of an endpoint counts as settled when it is sent': [
      "fresh.status = 'sent';",
      "fresh.status = 'settled';",
    ],
  }),
  ...broken(
    'libs/delivery/domain/webhooks/webhook-endpoints.js',
    ['libs/delivery/domain/webhooks/webhook-endpoints.spec.js'],
    {
      'a restored secret enables an endpoint that its workspace has disabled': [
        "disabledReason === 'secret_lost' && BY_SOMEONE.has(reason)",
        'false',
      ],
    },
  ),
  ...broken('libs/delivery/webhooks/request-slots.js', ['libs/delivery/webhooks/request-slots.spec.js'], {
    'a free slot that its waiter does not use stays unused while others wait': [
      'if (pool.left > 0)',
      'if (false)',
    ],
    'a request that has ended gives its slot back again after a second': ['endTimer();', ';'],
  }),
  ...broken('libs/delivery/webhooks/queue/kept-progress.js', ['test/simulation/webhook-queue.spec.js'], {
    'an event in flight is recorded as settled because a later one waits for a retry': [
      'window.isBefore(oldestOpen)',
      'true',
    ],
  }),
  ...broken('libs/delivery/webhooks/signing.js', ['test/api/webhooks.spec.js'], {
    'the previous secret no longer signs deliveries': [
      'previousSecretId !== null && isStillSigning',
      'false',
    ],
  }),
  ...broken('libs/delivery/webhooks/queue/attempts.js', ['test/simulation/webhook-queue.spec.js'], {
    'a replay changes the health of its endpoint': ['if (!isReplay)', 'if (true)'],
    'a replay overlaps another attempt of its event': ['while (underWay.has(eventId))', 'while (false)'],
    'an event that was never sent is listed as delivered after a failed replay': [
      '&& window.isPassed(entry)',
      '',
    ],
  }),
  ...broken('libs/process-engine/steps-in-turn.js', ['libs/process-engine/steps-in-turn.spec.js'], {
    'all batches of runs are completed at the same time': ['if (free > 0)', 'if (true)'],
  }),
  ...broken('libs/http/head-streams.js', ['test/api/slow-streams.spec.js'], {
    'HEAD keeps a stream of events open': ['payload.destroy();', 'payload.resume();'],
  }),
  ...broken('libs/network/sighting.js', ['test/contract/sqlite-network-store.spec.js'], {
    'a post keeps the window date of an observation without a text': ['&& !isFirstText', ''],
  }),
  ...broken('libs/process-engine/process-runner.js', ['test/runtime/process-runner.spec.js'], {
    'a drain does not wait for the runner that starts': ['!isStarting() && ', ''],
  }),
  ...broken('libs/event-store/eventstoredb/pull.js', ['libs/event-store/eventstoredb/pull.spec.js'], {
    'a reader waits although the error behind the last records is known': [
      '!isAwake && failure === null',
      '!isAwake',
    ],
  }),
  ...broken('libs/event-store/eventstoredb/delivery-order.js', ['test/servers/eventstoredb-reads.spec.js'], {
    'a resumed subscription is taken for one of the same log whatever its server delivers first': [
      'first === id',
      'true',
    ],
  }),
  ...broken('libs/identities/claim-contents.js', ['test/servers/eventstoredb-claims.spec.js'], {
    'a content without facts is presumed to be new': [
      'filter((_, index) => contents[index]?.content.facts !== null)',
      'filter(() => true)',
    ],
  }),
  ...broken('libs/ledger/charging/charges.js', ['test/charging/account-charges.spec.js'], {
    'a part of an account is held though later parts are not covered': ['later.length > 0', 'false'],
  }),
  ...broken('libs/accounts/mappings/account-charges.js', ['test/charging/account-charges.spec.js'], {
    'an account that waits for credits ends the holds of other requests': [
      "const paid = isRefused ? 'credits' : await holdAll(",
      "await round.takeOver();\n        const paid = isRefused ? 'credits' : await holdAll(",
    ],
  }),
  ...broken('libs/ledger/domain/credit-account.js', ['test/simulation/months-before-pipelines.spec.js'], {
    'a grant with terms does not make charges be prepared again': [
      "raised(reprepared(posted(account, 'LotGranted', event)))",
      "raised(posted(account, 'LotGranted', event))",
    ],
    'an adjustment with terms does not make charges be prepared again': [
      "raised(reprepared(posted(account, 'LotAdjusted', event)))",
      "raised(posted(account, 'LotAdjusted', event))",
    ],
  }),
  ...broken('libs/ledger/domain/books.js', ['test/charging/affordable.spec.js'], {
    'expired credits count until their end is recorded': [
      'dueLots(books.lots, decisionTime(books, now)).reduce((sum, { free }) => sum + free, 0n)',
      '0n',
    ],
  }),
  ...broken('libs/event-store/sqlite/event-writer.js', ['test/contract/sqlite-event-store-commits.spec.js'], {
    'followers get the events of a transaction that was rolled back': [
      'ends.clear();\n        written = [];',
      'ends.clear();',
    ],
  }),
  ...broken('libs/event-store/sqlite/commit-batch.js', ['test/contract/sqlite-event-store-commits.spec.js'], {
    'a commit that fails with an I/O error counts as not written': [
      "unknown ? 'unknown' : 'nothing-written'",
      "'nothing-written'",
    ],
    'a commit that meets the lock of another connection is not repeated': [
      'if (isBusy(error))',
      'if (false)',
    ],
  }),
  ...broken('libs/kernel/commands/doubts.js', ['libs/kernel/commands/doubts.spec.js'], {
    'commands of unknown outcome are looked for only behind the last of them': [
      'earliest === null || doubt.after < earliest',
      'true',
    ],
  }),
  ...broken('libs/ledger/charging/charge-index.js', ['test/ops/ledger-restart.spec.js'], {
    'a forgotten charge is found in the ledger of another workspace': [
      'if (row.workspaceId === workspaceId)',
      'if (true)',
    ],
    'a forgotten grant is found in the ledger of another workspace': [
      'if (row.workspaceId !== workspaceId)',
      'if (false)',
    ],
    'what was given back of a forgotten charge is given back again': [
      'if (corrections.length === 0)',
      'if (true)',
    ],
  }),
  ...broken('libs/ledger/charging/charge-index.js', ['test/charging/charge-index.spec.js'], {
    'a halted index proves that a key was never used': ["standing.isHalted ? 'halted' : null", 'null'],
  }),
  ...broken('libs/ledger/domain/ledger-memory.js', ['test/ops/ledger-restart.spec.js'], {
    'a forgotten grant counts as large as its expired part': [
      'amounts.set(movementId, { recalled: { credits, upTo: BigInt(fact.upTo) }, remembered });\n        return;',
      'amounts.set(movementId, { recalled: { credits, upTo: BigInt(fact.upTo) }, remembered });',
    ],
    'a forgotten adjustment takes the key of a grant': ["if (kind === 'adjustment')", 'if (false)'],
  }),
  ...broken('libs/access/commands/link-withdraw.js', ['test/console/links.spec.js'], {
    'a link is withdrawn by another workspace': ['|| link.workspaceId !== workspaceId', ''],
  }),
  ...broken('libs/access/api-key-directory.js', ['libs/access/api-key-directory.spec.js'], {
    'a key that only begins like another one opens its workspace': ['|| state.hash !== keyHash', ''],
  }),
  ...broken('libs/ledger/history/verify.js', [verification], {
    'a mark with other sums than the entries up to it is verified': [
      'await compareMark(proof, stored.revision, readModels);',
      ';',
    ],
    'a seal of the month in which a verification begins is not compared': [
      'month < proof.begunIn',
      'month <= proof.begunIn',
    ],
  }),
  ...broken('libs/projection-engine/fit.js', ['libs/projection-engine/fit.spec.js'], {
    'a read model that is ahead of its checkpoint fits a log without those events': [
      'ahead === undefined || (await stands(ahead.position, ahead.event))',
      'true',
    ],
  }),
  ...broken('libs/projection-engine/verify.js', ['test/projections/verifying.spec.js'], {
    'a verification does not replay what was written during its comparison': [
      'await catchUp(context, [shadow], pace, signal);',
      '',
    ],
    'a document that the live generation has not folded yet differs': [
      'isBehind || (isAhead && !isLastLook)',
      'isAhead && !isLastLook',
    ],
    'a verification that could not compare a document is ok': [
      'differing === 0 && suspects.size === 0',
      'differing === 0',
    ],
    'a verification is ok although its replay has halted': [' && shadow.halt === null', ''],
  }),
  ...broken('libs/projection-engine/drain.js', ['test/projections/parking.spec.js'], {
    'a workspace whose parked events are folded stays parked for other processes': [
      'await deleteParkedWorkspace(context.reads, projectedView.generation, workspaceId);',
      '',
    ],
    'a parked event is refused while the event store is away': [
      'outcome?.reason instanceof StoreUnavailable',
      'false',
    ],
  }),
  ...broken('libs/projection-engine/drain-note.js', ['test/projections/parking.spec.js'], {
    'an interrupted drain removes parked events that it has not folded': ['position <= note.upTo', 'true'],
    'an interrupted drain frees a workspace that has more parked events': ['left.length === 0', 'true'],
  }),
  ...broken('libs/projection-engine/retry-request.js', ['test/projections/retry-requests.spec.js'], {
    'a leader that has lost its lease answers a retry': ['error instanceof LeaseLost || ', ''],
    'a retry that was answered is done again at every look': ['await reads.deleteRecord(REQUEST, key);', ''],
  }),
  ...broken('libs/projection-engine/document-cache.js', ['libs/projection-engine/document-cache.spec.js'], {
    'a document that was dropped while others were used counts as never stored': [
      'dropOld();\n            [old',
      '[old',
    ],
  }),
  ...broken('libs/event-store/copy/log-proof.js', ['libs/event-store/copy/log-proof.spec.js'], {
    'a log with two identities has no fault': ['stream === LOG_STREAM && logId !== null', 'false'],
    'a log whose events are out of order has no fault': ['event.position <= position', 'false'],
  }),
  ...broken('libs/event-store/copy/lasting-events.js', ['libs/event-store/copy/lasting-events.spec.js'], {
    'a copy that continues repeats the events of short-lived streams': [
      'there.get(event.stream)?.has(event.id) !== true',
      'true',
    ],
  }),
  ...broken('libs/delivery/webhooks/delivery-records.js', ['test/simulation/webhook-records.spec.js'], {
    'a delivery is removed by its age although a retry is due': ['nextAttemptMs === null && ', ''],
  }),
  ...broken('libs/keyed-requests/live-keys.js', ['libs/keyed-requests/live-keys.spec.js'], {
    'live keys that could not be written are forgotten': ['Math.max(value, counts.get(key) ?? 0)', 'value'],
  }),
];
