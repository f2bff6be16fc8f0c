import { Inject } from '@nestjs/common';
import { Endpoint, type PublicRequest } from '#http/endpoint.js';
import { html } from '#http/page.js';
import { CONSOLE, SUBJECT_PAGE, WORKSPACE_PATH, type Desk } from '../desk.js';
import { FORM } from '../form.js';
import { formTokenField, workspaceNav } from '../layout.js';
import { workspaceName } from '../workspace.js';

@Endpoint({
  ...SUBJECT_PAGE,
  route: 'GET /console/workspaces/:workspace_id/verify',
  summary: 'Verify the ledger of a workspace, or an old statement of it',
  params: WORKSPACE_PATH,
})
export class VerifyPage {
  constructor(@Inject(CONSOLE) private readonly desk: Desk) {}

  handle({ params: { workspace_id: id }, ...asked }: PublicRequest<{ params: typeof WORKSPACE_PATH }>) {
    return this.desk.page(asked, async (visit) => ({
      title: `Verify the ledger of ${await workspaceName(visit, id)}`,
      body: html`${workspaceNav(visit.session, id, 'verify')}
        <p>
          Every entry is read again: the hash of each is computed from the one before, the sums are added up,
          and both are compared with what the pages show. Nothing is changed.
        </p>
        <form method="post" action="/console/workspaces/${id}/verify">
          ${formTokenField(visit.session.formToken)}
          <button class="primary">Verify now</button>
        </form>
        <h2>An old statement</h2>
        <p>Does a statement that was printed once still stand? Its revision and its hash are at its end.</p>
        <form class="filter" method="post" action="/console/workspaces/${id}/verify">
          ${formTokenField(visit.session.formToken)}
          <label>Revision <input name="revision" inputmode="numeric" size="10" required /></label>
          <label>Hash <input name="hash" pattern="[0-9a-f]{64}" size="64" required /></label>
          <button>Verify the statement</button>
        </form>`,
    }));
  }
}

@Endpoint({
  caller: 'public',
  route: 'POST /console/workspaces/:workspace_id/verify',
  summary: 'Begin to verify the ledger of a workspace',
  params: WORKSPACE_PATH,
  body: FORM,
  html: true,
  otherStatuses: [303, 403, 404, 409, 422],
})
export class BeginVerify {
  constructor(@Inject(CONSOLE) private readonly desk: Desk) {}

  handle({
    params: { workspace_id: id },
    body,
    ...asked
  }: PublicRequest<{ body: AsyncIterable<Uint8Array>; params: typeof WORKSPACE_PATH }>) {
    return this.desk.action(asked, body, async (visit, form) => {
      // An unknown workspace is refused here, before the work starts.
      const name = await workspaceName(visit, id);
      const [revision, hash] = [form.get('revision'), form.get('hash')];
      const input = {
        workspace_id: id,
        ...(revision !== null && { revision: Number(revision) }),
        ...(hash !== null && { hash: hash.trim() }),
      };
      const back = `/console/workspaces/${id}/verify`;
      return { to: visit.begin('ledger.verify', input, { title: `Verifying the ledger of ${name}`, back }) };
    });
  }
}
