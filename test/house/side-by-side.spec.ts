import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { houseRoot } from './house.js';

type Step = { readonly name: string; readonly after?: string };
type Take = (step: Step) => Promise<void>;
const {
  sideBySide,
}: { readonly sideBySide: (steps: readonly Step[], atOnce: number, take: Take) => Promise<void> } =
  await import(pathToFileURL(join(houseRoot, 'tools/side-by-side.mjs')).href);

/** Runs steps that end when the test says so; `log` lists starts and ends in order. */
function started(steps: readonly Step[], atOnce = 2) {
  const log: string[] = [];
  const ends = new Map<string, () => void>();
  const done = sideBySide(steps, atOnce, ({ name }) => {
    log.push(`${name} begins`);
    return new Promise((end) =>
      ends.set(name, () => {
        log.push(`${name} ends`);
        end();
      }),
    );
  });
  const end = async (name: string): Promise<void> => {
    ends.get(name)?.();
    // Promises that follow the end of a step settle before the next turn of the loop.
    await new Promise((turn) => setImmediate(turn));
  };
  return { log, end, done };
}

describe('the steps of `npm run check`', () => {
  it('run at most two at once, even when others wait for a step', async () => {
    const { log, end, done } = started([
      { name: 'types' },
      { name: 'specs', after: 'types' },
      { name: 'documents', after: 'types' },
      { name: 'lint', after: 'types' },
      { name: 'formatting' },
    ]);
    expect(log).toEqual(['types begins', 'formatting begins']);
    await end('formatting');
    expect(log).toHaveLength(3);
    await end('types');
    expect(log.slice(3)).toEqual(['types ends', 'specs begins', 'documents begins']);
    await end('documents');
    expect(log.slice(6)).toEqual(['documents ends', 'lint begins']);
    await end('lint');
    await end('specs');
    await done;
    expect(log).toHaveLength(10);
  });

  it('end with an error when one waits for a step that does not exist', async () => {
    const { done } = started([{ name: 'specs', after: 'types' }]);
    await expect(done).rejects.toThrow('nothing ends before specs');
  });
});
