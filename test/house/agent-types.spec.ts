import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AGENT_TYPES } from '#signals/domain/agents/agent-types.js';
import { expectNone } from './expect-none.js';
import { houseRoot, sourceFiles } from './house.js';

const TABLE = 'libs/signals/domain/agents/agent-types.ts';
/** The price of each type. */
const PRICES = 'libs/catalogue/domain/prices/agent-prices.ts';
/** Agent types that are also list types: other rooms use the names in that sense. */
const TYPES_OF_LISTS = ['competitor', 'partner', 'customer', 'influencer', 'champion'];
/** Rooms where such a name would be an agent type. */
const ROOMS_OF_AGENTS =
  /^(libs\/signals\/(domain\/agents|launching|runs)|libs\/process-engine|apps\/api\/src\/signals\/agents)\//;

/** Texts for readers that show how a type is written. */
const EXAMPLES = /^apps\/api\/src\/reference\/|\.reference\.ts$/;

/** A detector's name may equal the agent type that uses it. */
const withoutKind = (code: string): string => code.replace(/^ {2}kind: '\w+',$/m, '');

/** The agent types that a file names in its code. */
function typesNamed(file: string, code: string): readonly string[] {
  return AGENT_TYPES.filter((type) => {
    if (TYPES_OF_LISTS.includes(type) && !ROOMS_OF_AGENTS.test(file)) return false;
    return new RegExp(`(['"])${type}\\1`).test(file.endsWith('.detector.ts') ? withoutKind(code) : code);
  });
}

describe('the names of agent types', () => {
  const files = ['libs', 'apps', 'projections']
    .flatMap(sourceFiles)
    .filter(
      (file) => !file.endsWith('.spec.ts') && file !== TABLE && file !== PRICES && !EXAMPLES.test(file),
    );

  it('stand only in their table: no other code asks for the type of an agent', () => {
    expect(files.length).toBeGreaterThan(500);
    const named = files.flatMap((file) =>
      typesNamed(file, readFileSync(join(houseRoot, file), 'utf8')).map((type) => `${file} names ${type}`),
    );
    expectNone(named, `ask the row of the type in ${TABLE} instead`);
  });

  it('are looked for in the table as well, and all are found there', () => {
    const table = readFileSync(join(houseRoot, TABLE), 'utf8').replace(/^ {2}(\w+):/gm, "'$1':");
    expect(typesNamed(TABLE, table)).toEqual(AGENT_TYPES);
    expect(typesNamed('libs/signals/launching/planted.ts', "if (type === 'partner') return;")).toEqual([
      'partner',
    ]);
    expect(typesNamed('libs/ledger/domain/planted.ts', "mode === 'partner'")).toEqual([]);
  });
});
