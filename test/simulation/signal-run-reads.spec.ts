import { createCommands } from '#kernel/commands/commands.js';
import type { EventStore } from '#kernel/ports/event-store.port.js';
import { executeSignalRun } from '#signals/runs/execute-signal-run.process.js';
import { launchFunded, sharedHouseOfPosts } from '../support/signal-run-checks.js';

const house = sharedHouseOfPosts();

describe('what a run reads', () => {
  it('is the stream of a batch once, before its candidates are written: they are not read back', async () => {
    const reads: string[] = [];
    const noted = (stream: string): void => void (stream.startsWith('batch-') && reads.push(stream));
    const { events, operator } = house;
    const counted: EventStore = {
      ...events,
      readStream(stream, wanted) {
        noted(stream);
        return events.readStream(stream, wanted);
      },
      ends(streams) {
        streams.forEach(noted);
        return events.ends(streams);
      },
    };
    const { clock, progress } = operator;
    const host = house.worker(undefined, {
      commands: createCommands({ eventStore: counted, clock, progress }),
    });
    const launched = await launchFunded(house, 500, { keyword: 'archives' });
    await executeSignalRun.act(host, launched.work, new AbortController().signal);
    const found = (await house.eventsSince(launched)).filter(({ type }) => type === 'CandidatesFound');
    expect(found.length).toBeGreaterThan(2);
    expect(reads).toEqual(found.map(({ stream }) => stream));
  });
});
