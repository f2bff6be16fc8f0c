import type { TSchema } from '#kernel/values/schema.js';
import { operatorCommands, streamCommands } from '#runtime/operator-commands.js';
import { refusal } from '#test/support/expected-answers.js';
import { scene, sharedWorkspace } from '#test/support/scene.js';

/** Fields whose text an operator writes for readers. */
const WRITTEN = new Set(['name', 'label', 'reason', 'beyond', 'crm', 'verdict']);

const BLANK = [' ', '\u0000', '\u200b', '\t\n'];

describe('names, reasons and labels of operator commands', () => {
  const service = scene({ at: '2026-06-01T10:00:00.000Z' });
  const workspace = sharedWorkspace(service, { credits: 100 });

  it.each([
    ['credits.grant', { credits: 5 }, 'reason'],
    ['credits.withdraw', { credits: 5 }, 'reason'],
    ['credits.adjust', { credits: 5 }, 'reason'],
    ['credits.adjust', { credits: 5, reason: 'x' }, 'beyond'],
    ['workspace.block', {}, 'reason'],
    ['workspace.unblock', {}, 'reason'],
    ['apikey.issue', {}, 'label'],
    ['link.add', {}, 'label'],
  ])('are refused when blank, and add no event: %s %j', async (command, input, field) => {
    await service.expectSettledEvents([], async () => {
      for (const text of BLANK) {
        const sent = { workspace_id: workspace.id, ...input, [field]: text };
        await refusal(422, service.ops(command, sent), field);
      }
    });
  });

  it.each([
    ['credits.grant', { credits: 5, reason: 'a\u0000b' }, 'reason'],
    ['credits.grant', { credits: 5, reason: 'a\ud800' }, 'reason'],
    ['credits.hold', { credits: 5, product: 'p', key: '\udfff' }, 'key'],
  ])(
    'OP-07 are refused when no store can keep them unchanged, and add no event: %s %j',
    async (command, input, field) => {
      await service.expectSettledEvents([], () =>
        refusal(422, service.ops(command, { workspace_id: workspace.id, ...input }), field),
      );
    },
  );

  it('need a visible character in every command', () => {
    const texts = [...operatorCommands, ...streamCommands].flatMap(({ name, input }) =>
      Object.entries<TSchema>(input?.properties ?? {})
        .filter(([field, { maxLength }]) => WRITTEN.has(field) && maxLength !== undefined)
        .map(([field, { pattern }]) => [`${name} ${field}`, pattern !== undefined] as const),
    );
    expect(texts.length).toBeGreaterThan(10);
    expect(texts.filter(([, isSafe]) => !isSafe)).toEqual([]);
  });
});
