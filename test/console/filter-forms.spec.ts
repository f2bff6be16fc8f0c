import { operatorOf } from '#test/support/console-scene.js';
import { keywordAgent } from '#test/support/observed-network.js';
import { scene, sharedWorkspace } from '#test/support/scene.js';

/** The values of the attributes of a tag. */
const attributesOf = (tag: string): ReadonlyMap<string, string> =>
  new Map([...tag.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value]));

/** The fields of a form with the values that a browser sends if nobody fills it in. */
function untouchedFields(form: string): URLSearchParams {
  const fields = new URLSearchParams();
  for (const [tag, , options] of form.matchAll(/<(input|select)\b[^>]*>(?:([^]*?)<\/select>)?/g)) {
    const attributes = attributesOf(tag.slice(0, tag.indexOf('>') + 1));
    const name = attributes.get('name');
    if (name === undefined || attributes.get('type') === 'checkbox') continue;
    const all = [...(options ?? '').matchAll(/<option\b[^>]*>/g)].map(([option]) => option);
    const chosen = all.find((option) => option.includes(' selected')) ?? all[0];
    const value = chosen === undefined ? attributes.get('value') : attributesOf(chosen).get('value');
    fields.append(name, value ?? '');
  }
  return fields;
}

describe('the forms that narrow a page of the console', () => {
  const service = scene({ at: '2026-06-01T10:00:00.000Z' });
  const workspace = sharedWorkspace(service, { credits: 100 }, async (own) => {
    await own.run(await keywordAgent(own, 'crm'));
  });
  const operator = operatorOf(service);

  it('CON-02 CON-03 show their page also if no field is filled in', async () => {
    const seen = new Set<string>();
    const left = ['/console', `/console/workspaces/${workspace.id}`];
    const sent: string[] = [];
    const refused: unknown[] = [];
    for (let path = left.pop(); path !== undefined; path = left.pop()) {
      if (seen.has(path)) continue;
      seen.add(path);
      const { status, text } = await operator.get(path);
      if (status !== 200) continue;
      // Pages alone, and not every row of a list.
      for (const [, link = ''] of text.matchAll(/href="(\/console[^"?#]*)"/g))
        if (!/\d+\/.*\d+$/.test(link) && seen.size + left.length < 200) left.push(link);
      for (const [form] of text.matchAll(/<form\b[^>]*method="get"[^]*?<\/form>/g)) {
        // A browser does not send it.
        if (/<input\b[^>]* required/.test(form)) continue;
        const action = attributesOf(form.slice(0, form.indexOf('>') + 1)).get('action') ?? path;
        const address = `${action}?${untouchedFields(form).toString()}`;
        if (sent.includes(address)) continue;
        sent.push(address);
        const answer = await operator.get(address);
        if (answer.status !== 200) refused.push([path, address, answer.status]);
      }
    }
    expect(refused).toEqual([]);
    expect(new Set(sent.map((address) => address.split('?')[0])).size).toBeGreaterThan(8);
  });
});
