import type { ServiceProcess } from '../support/service-process.js';
import type { Receiver } from '../support/webhook-receiver.js';

/**
 * A workspace whose only events are those of one webhook endpoint, which another one delivers to the receiver.
 * `service` is the process that is called, also after another start.
 */
export async function eventsWorkspace(service: () => ServiceProcess, receiver: Receiver) {
  const { api_key: apiKey } = await service().command('workspace.create', { name: 'Events' });
  const added = async (endpoint: object) =>
    (await service().call(apiKey, 'POST /api/v3/webhook-endpoints', endpoint))?.body.data;
  receiver.secrets = [(await added({ url: receiver.url, types: ['endpoint.disabled'] })).secret];
  const { id: toggledId } = await added({ url: 'https://hooks.example.test', types: ['run.ended'] });
  return {
    apiKey: String(apiKey),
    /** Disables and enables the endpoint until the returned function is called, which waits for the last answer. */
    toggled(): () => Promise<void> {
      let isWriting = true;
      const path = `PATCH /api/v3/webhook-endpoints/${toggledId}`;
      const writing = (async () => {
        for (let turn = 0; isWriting; turn += 1)
          await service().call(apiKey, path, { enabled: turn % 2 === 1 });
      })();
      return () => {
        isWriting = false;
        return writing;
      };
    },
    /** The ids of all events, as the pages list them. */
    async feed(): Promise<readonly string[]> {
      const ids: string[] = [];
      for (let cursor = ''; ;) {
        const page = await service().call(apiKey, `GET /api/v3/events?limit=100${cursor}`);
        ids.push(...page?.body.data.map(({ id }: { id: string }) => id));
        cursor = `&cursor=${String(page?.body.meta.cursor.next)}`;
        if (!page?.body.meta.cursor.has_more) return ids;
      }
    },
  };
}
