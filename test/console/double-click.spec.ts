import { Writable } from 'node:stream';
import { Registry } from 'prom-client';
import { createLogger } from '#http/log.js';
import { startOperatorListener } from '#runtime/operator-listener.js';
import { readiness } from '#runtime/readiness.js';
import { consolePages } from '#apps/console/src/console.module.js';
import { actionPath, hiddenFields, signedIn } from '#test/support/console-visitor.js';
import { moment } from '#test/support/moment.js';
import { startTestService } from '#test/support/service.js';

const TOKEN = 'the-token-of-the-first-operator';

describe('a double click on the button of an action', () => {
  it('CON-05 is answered like the first click, also if the second one reads the state after it', async () => {
    await using running = await startTestService();
    const { id } = await running.workspace({ name: 'Acme', credits: 100 });
    const { host } = running.service;
    let areHeld = false;
    let reads = 0;
    const [second, answered] = [moment(), moment()];
    /** The first click reads when the second one has begun, and the second one when the first is answered. */
    const held = async (): Promise<void> => {
      if (!areHeld) return;
      reads += 1;
      if (reads === 1) await second.promise;
      else if (reads === 2) {
        second.resolve();
        await answered.promise;
      }
    };
    const listener = await startOperatorListener(
      {
        host: {
          ...host,
          commands: new Proxy(host.commands, {
            get: (commands, name) =>
              name === 'load'
                ? async (...given: unknown[]) => {
                    await held();
                    return Reflect.apply(commands.load, commands, given);
                  }
                : Reflect.get(commands, name),
          }),
        },
        readiness: readiness(host),
        token: TOKEN,
        pages: consolePages,
        docsUrl: 'https://docs.example.test',
        registry: new Registry(),
        logger: createLogger('silent', new Writable({ write: (_chunk, _encoding, done) => done() })),
      },
      { host: '127.0.0.1', port: 0 },
    );
    try {
      const visitor = await signedIn({ service: { opsUrl: listener.url } }, TOKEN);
      const path = actionPath('credits.adjust', { workspace_id: id, credits: '5', reason: 'twice' });
      const form = hiddenFields((await visitor.get(path)).text);
      areHeld = true;
      const clicks = [1, 2].map(() => visitor.send('/console/actions/credits.adjust', form));
      void Promise.any(clicks).then(() => answered.resolve());
      const answers = await Promise.all(clicks);
      expect(reads).toBeGreaterThan(1);
      expect(answers.map(({ status }) => status)).toEqual([303, 303]);
      expect(answers[1]?.location).toBe(answers[0]?.location);
      const { body } = await running.ops('workspace.show', { workspace_id: id });
      expect(body.balance.balance).toBe(105);
    } finally {
      await listener.close();
    }
  });
});
