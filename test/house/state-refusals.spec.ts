import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { takesIdempotencyKey } from '#http/idempotency.js';
import { statusOf } from '#http/problem.js';
import { apiDocument } from '#test/support/declared-answers.js';
import { expectNone } from './expect-none.js';
import { houseRoot } from './house.js';
import { servedEndpoints } from './served-endpoints.js';

/** Answers that every operation can give to a request that is valid by its schema. */
const EVERYWHERE = ['2xx', '404'];
/** Refusals that can depend on state, or on fields that are valid alone but not together. */
const OF_STATE = ['400', '402', '403', '409', '422'];

type Entry = {
  readonly operation: string;
  /** Reasons by status, as the comments give them. */
  readonly reasons: ReadonlyMap<string, string>;
  readonly statuses: readonly string[];
  /** Statuses of the phase that takes ids from answers; null: the same as in the other phases. */
  readonly stateful: readonly string[] | null;
};

const [head = '', ...entries] = readFileSync(join(houseRoot, 'schemathesis.toml'), 'utf8').split(
  '[[operations]]\n',
);
const listed = entries.map(entryOf);

/** One operation of the list; each entry has the same form. */
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

/** The refusals that each operation declares, by its id: all of them, and those that depend on state. */
function declaredRefusals() {
  const { paths } = apiDocument();
  return new Map(
    servedEndpoints().flatMap(({ declared }) =>
      declared.paths.flatMap((path) => {
        const operation = paths[path.replace(/:(\w+)/g, '{$1}')]?.[declared.method.toLowerCase()];
        // The document describes the API only: other entry points have their own contract.
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

describe('the list of refusals that a request valid by its schema can get (schemathesis.toml)', () => {
  const declared = declaredRefusals();

  it('names each operation once, in order, with statuses that the operation declares, each with its reason', () => {
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

  it('contains every refusal of state that an operation declares', () => {
    const missing = [...declared].flatMap(([operation, { ofState }]) => {
      const statuses = listed.find((entry) => entry.operation === operation)?.statuses ?? [];
      const own = [...new Set(ofState)].filter((status) => !statuses.includes(status));
      return own.length === 0 ? [] : [`${operation}: ${own.join(', ')}`];
    });
    expectNone(
      missing,
      'add these statuses to schemathesis.toml, in an [[operations]] block like those of its neighbours',
    );
  });

  it('allows 400 in the phase with ids from answers exactly when the operation answers 400 to an invalid id in its path', () => {
    const others = [...declared].flatMap(([operation, { refusesPaths }]) => {
      const { statuses = EVERYWHERE, stateful = null } =
        listed.find((entry) => entry.operation === operation) ?? {};
      const allowed = [...EVERYWHERE, ...[...statuses.slice(EVERYWHERE.length), '400'].sort()];
      const wanted = refusesPaths ? allowed : null;
      if (stateful?.join() === wanted?.join()) return [];
      return [wanted === null ? `${operation}: none` : `${operation}: ${wanted.join(', ')}`];
    });
    expect(declared.size).toBeGreaterThan(50);
    expectNone(
      others,
      'set the statuses of phases.stateful of these operations in schemathesis.toml, as neighbours with an id in their path do',
    );
  });

  it('contains nothing else: every check is on, for every operation', () => {
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
