import { startTestService, type Answer, type TestService } from '#test/support/service.js';

/** The steps of a worked example. */
export type Steps = {
  /** The answer of an operator command, which must not be refused. */
  readonly ask: (command: string, input: object) => Promise<Answer['body']>;
  /** Sets the clock to a time of 2026, e.g. `01-31T10:00`. */
  readonly on: (day: string) => Promise<unknown>;
};

/** Carries out a worked example on a new service with a manual clock. */
export async function workedOut<Example>(
  happen: (service: TestService, steps: Steps) => Promise<Example>,
): Promise<Example> {
  const service = await startTestService({ CLOCK: 'manual' });
  const ask: Steps['ask'] = async (command, input) => {
    const { status, body } = await service.ops(command, input);
    if (status !== 200) throw new Error(`${command}: ${JSON.stringify(body)}`);
    return body;
  };
  try {
    return await happen(service, { ask, on: (day) => ask('clock.set', { now: `2026-${day}:00.000Z` }) });
  } finally {
    await service.stop();
  }
}
