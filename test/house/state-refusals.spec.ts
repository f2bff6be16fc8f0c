import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { takesIdempotencyKey } from '#http/idempotency.js';
import { statusOf } from '#http/problem.js';
import { apiDocument } from '#test/support/declared-answers.js';
import { houseRoot } from './house.js';
import { servedEndpoints } from './served-endpoints.js';

/** What a request that its schema takes is answered with on every operation. */
const EVERYWHERE = ['2xx', '404'];
/** Refusals that can depend on state, or on fields that fit one by one and not together. */
const OF_STATE = ['400', '402', '403', '409', '422'];

type Entry = {
  readonly operation: string;
  /** Reasons by status, as the comments give them. */
  readonly reasons: ReadonlyMap<string, string>;
  readonly statuses: readonly string[];
  /** In the phase that takes ids from answers; null where it is as in the others. */
  readonly stateful: readonly string[] | null;
};

const [head = '', ...entries] = readFileSync(join(houseRoot, 'schemathesis.toml'), 'utf8').split(
  '[[operations]]\n',
);
const listed = entries.map(entryOf);

/** One operation of the list, which is written in one form alone. */
function entryOf(text: string): Entry {
  const accepted = 'checks\\.positive_data_acceptance\\.expected-statuses = \\[(.*)\\]\\n';
  const form = new RegExp(
    `^include-operation-id = "(\\w+)"\\n(?:((?:# .*\\n)+)${accepted})?` +
      `(?:# stateful 400: .+\\nphases\\.stateful\\.${accepted})?\\n*$`,
  );
  const [matched, operation, comments = '', own = '"2xx", "404"', stateful] = form.exec(text) ?? [];
  if (matched === undefined || operation === undefined)
    throw new Error(`not as the others are written:\n${text}`);
  const whole = comments.replace(/\n#\s{2,}/g, ' ');
  const reasons = [...whole.matchAll(/^# (\d{3}): (.+)$/gm)].map(
    ([, status = '', reason = '']) => [status, reason] as const,
  );
  const listOf = (quoted: string) => quoted.split(', ').map((each) => each.replace(/^"(.*)"$/, '$1'));
  return {
    operation,
    reasons: new Map(reasons),
    statuses: listOf(own),
    stateful: stateful === undefined ? null : listOf(stateful),
  };
}

/** What each operation declares of refusals, by its id: of all kinds, and those of state by themselves. */
function declaredRefusals() {
  const { paths } = apiDocument();
  return new Map(
    servedEndpoints().flatMap(({ declared }) =>
      declared.paths.flatMap((path) => {
        const operation = paths[path.replace(/:(\w+)/g, '{$1}')]?.[declared.method.toLowerCase()];
        // The document is about the API: another door has a contract of its own.
        if (operation === undefined && !path.startsWith('/api/')) return [];
        if (operation === undefined) throw new Error(`${path} is not in the document`);
        const ofState = [
          ...(declared.problems ?? []).map(({ kind }) => String(statusOf(kind))),
          ...(takesIdempotencyKey(declared) ? ['409', '422'] : []),
        ].filter((status) => OF_STATE.includes(status));
        const refusesPaths = Object.values(declared.params ?? {}).some(({ invalid }) => invalid === 400);
        return [
          [operation.operationId, { all: Object.keys(operation.responses), ofState, refusesPaths }] as const,
        ];
      }),
    ),
  );
}

describe('the list of refusals that a request as its schema says can meet (schemathesis.toml)', () => {
  const declared = declaredRefusals();

  it('names each operation once, in order, and statuses that the operation declares, each with its reason', () => {
    const names = listed.map(({ operation }) => operation);
    expect(names).toEqual([...new Set(names)].sort());
    expect(names.filter((name) => !declared.has(name))).toEqual([]);
    for (const { operation, reasons, statuses } of listed) {
      const own = statuses.filter((status) => !EVERYWHERE.includes(status));
      expect([operation, statuses]).toEqual([operation, [...EVERYWHERE, ...own.toSorted()]]);
      expect([operation, [...reasons.keys()]]).toEqual([operation, own]);
      const undeclared = own.filter(
        (status) => !OF_STATE.includes(status) || declared.get(operation)?.all.includes(status) !== true,
      );
      expect([operation, undeclared]).toEqual([operation, []]);
    }
  });

  it('leaves out no refusal of state that an operation declares', () => {
    for (const [operation, { ofState }] of declared) {
      const statuses = listed.find((entry) => entry.operation === operation)?.statuses ?? [];
      const missing = ofState.filter((status) => !statuses.includes(status));
      expect([operation, missing]).toEqual([operation, []]);
    }
  });

  it('allows 400 where ids come from answers exactly where a path that is no id is 400', () => {
    for (const [operation, { refusesPaths }] of declared) {
      const { statuses = EVERYWHERE, stateful = null } =
        listed.find((entry) => entry.operation === operation) ?? {};
      const allowed = [...EVERYWHERE, ...[...statuses.slice(EVERYWHERE.length), '400'].sort()];
      expect([operation, stateful]).toEqual([operation, refusesPaths ? allowed : null]);
    }
  });

  it('leaves nothing else out: every check is on, for every operation', () => {
    const settings = head.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    expect(settings).toEqual([
      'headers = { Authorization = "Bearer ${SIGNAL_LEDGER_KEY}" }',
      '[checks]',
      'positive_data_acceptance.expected-statuses = ["2xx", "404"]',
      '[generation]',
      'allow-x00 = false',
      '[parameters]',
      '"header.Prefer" = "handling=lenient"',
    ]);
  });
});
