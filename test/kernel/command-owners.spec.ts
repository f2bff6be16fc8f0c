import { apiKey, issue } from '#access/domain/api-keys/api-key.js';
import { catalogue, syncCatalogue } from '#catalogue/domain/templates/catalogue.js';
import { decider, type CommandContext } from '#kernel/commands/decider.js';
import { WrongWorkspace } from '#kernel/commands/scope.js';
import type { WrittenEvents } from '#kernel/ports/progress.port.js';
import { eventsOf } from '../support/event-stores.js';
import { sharedSqliteEventStore } from '../support/sqlite-event-stores.js';
import { add, commandsOn, contextOf, fillTo, tally, tallyEvents, whole } from './tally.js';

const store = sharedSqliteEventStore();

const speaksFor = (workspaceId: number | null): CommandContext => ({ ...contextOf(), workspaceId });
const KEY = { keyId: 1, workspaceId: 9, hash: '0af3', prefix: 'wsk', label: 'a key' };
/** The smallest aggregate without an owner. */
const common = decider<{ readonly times: number }>()({
  category: 'common',
  scope: 'global',
  vocabulary: tallyEvents,
  initial: () => ({ times: 0 }),
  on: { Added: ({ times }) => ({ times: times + 1 }) },
});

const once = () => [{ type: 'Added', data: { amount: 1 } } as const];

describe('the workspace of an event', () => {
  it('follows from its stream, even if the caller names none', async () => {
    const commands = commandsOn(store);
    for (const [index, workspaceId] of [null, 40].entries()) {
      await commands.handle(tally, '40_derived', add(1), {
        context: { ...speaksFor(workspaceId), commandId: `derived-${index}` },
      });
    }
    const events = await eventsOf(store, 'tally-40_derived');
    expect(events.map(({ metadata }) => metadata['workspaceId'])).toEqual(['40', '40']);
  });

  it('is first in the metadata, with unchanged bytes', async () => {
    await commandsOn(store).handle(tally, '41_bytes', add(1), {
      context: {
        commandId: 'a-command',
        actor: { kind: 'process', id: 'a-process' },
        workspaceId: null,
        correlationId: 'a-request',
        causationId: 'an-event',
        traceparent: '00-1-2-01',
      },
    });
    const [stored] = await eventsOf(store, 'tally-41_bytes');
    const { hash, ...metadata } = stored?.metadata ?? {};
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
    expect(JSON.stringify(metadata)).toBe(
      '{"workspaceId":"41","actorKind":"process","actorId":"a-process","commandId":"a-command",' +
        '"correlationId":"a-request","causationId":"an-event","traceparent":"00-1-2-01",' +
        '"recordedAt":"2026-01-01T12:00:00.000Z","schemaVersion":"1"}',
    );
  });

  it('is the one for which an API key is issued: its stream is named after the key', async () => {
    const commands = commandsOn(store);
    const options = { context: speaksFor(null) };
    await commands.handle(apiKey, KEY.hash, issue(KEY), options);
    const [issued] = await eventsOf(store, `apiKey-${KEY.hash}`);
    expect(issued?.metadata['workspaceId']).toBe('9');
    const forOther = { ...options, context: speaksFor(8) };
    await expect(commands.handle(apiKey, 'ffff', issue({ ...KEY, hash: 'ffff' }), forOther)).rejects.toThrow(
      WrongWorkspace,
    );
    expect(await eventsOf(store, 'apiKey-ffff')).toEqual([]);
  });

  it('is none for streams without an owner', async () => {
    await commandsOn(store).handle(common, '7', once, { context: speaksFor(null) });
    const [event] = await eventsOf(store, 'common-7');
    expect(Object.keys(event?.metadata ?? {})[0]).toBe('actorKind');
  });

  it('is the one whose readers wait for it', async () => {
    const waited: WrittenEvents[] = [];
    const reached = async (written: WrittenEvents) => waited.push(written) > 0;
    const commands = commandsOn(store, { progress: { reached } });
    const options = () => ({ context: speaksFor(null) });
    await commands.handle(tally, '42_waits', add(1), options());
    await commands.handle(tally, '42_waits', fillTo(1), options());
    await commands.handle(common, '', once, options());
    await commands.handle(apiKey, 'eeee', issue({ ...KEY, hash: 'eeee' }), options());
    expect(waited.map(({ workspaceId }) => workspaceId)).toEqual([42, 42, null, 9]);
  });
});

describe('a caller who names another workspace', () => {
  it('is refused before anything is written, even when nothing was to be written', async () => {
    const commands = commandsOn(store);
    for (const decision of [add(1), fillTo(0)]) {
      const foreign = commands.handle(tally, '43_foreign', decision, {
        context: speaksFor(44),
      });
      await expect(foreign).rejects.toThrow(WrongWorkspace);
    }
    expect(await eventsOf(store, 'tally-43_foreign')).toEqual([]);
    expect(await commands.load(tally, '43_foreign', whole)).toEqual({ sum: 0, amounts: [] });
  });

  it('is refused on a stream without an owner', async () => {
    const sync = syncCatalogue({ file: { templates: [], buckets: [] }, retireMissing: false, now: '' });
    const commands = commandsOn(store);
    const options = { context: speaksFor(1) };
    await expect(commands.handle(catalogue, '', sync, options)).rejects.toThrow(WrongWorkspace);
  });

  it('does not stop the decisions that came with it', async () => {
    const commands = commandsOn(store);
    const answers = await Promise.allSettled(
      [45, 46, null].map((workspaceId) =>
        commands.handle(tally, '45_together', add(1), {
          context: speaksFor(workspaceId),
          answer: ({ sum }) => sum,
        }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(await eventsOf(store, 'tally-45_together')).toHaveLength(2);
  });
});

describe('a stream of a workspace with an invalid id', () => {
  it('is neither written nor read', async () => {
    const commands = commandsOn(store);
    const options = { context: speaksFor(null) };
    await expect(commands.handle(tally, 'nobody', add(1), options)).rejects.toThrow('names no workspace');
    await expect(commands.load(tally, '', whole)).rejects.toThrow('names no workspace');
    expect(await eventsOf(store, 'tally-nobody')).toEqual([]);
  });
});
