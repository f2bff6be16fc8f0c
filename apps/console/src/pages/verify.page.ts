import { html } from '#http/page.js';
import { atDesk, subjectPage } from '../console-endpoints.js';
import { WORKSPACE_PATH } from '../desk.js';
import { FORM } from '../form.js';
import { formTokenField, workspaceNav } from '../layout.js';
import { workspaceName } from '../workspace.js';

export const VerifyPage = subjectPage({
  route: 'GET /console/workspaces/:workspace_id/verify',
  summary: 'Verify the ledger of a workspace, or an old statement of it',
  params: WORKSPACE_PATH,
  async show(visit, { workspace_id: id }) {
    // A link may not send the form.
    visit.requireMay('ledger.verify');
    return {
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
    };
  },
});

export const BeginVerify = atDesk({
  route: 'POST /console/workspaces/:workspace_id/verify',
  summary: 'Begin to verify the ledger of a workspace',
  params: WORKSPACE_PATH,
  body: FORM,
  otherStatuses: [303, 403, 404, 409, 422],
  answer: (desk, { params: { workspace_id: id }, body, ...asked }) =>
    desk.action(asked, body, async (visit, form) => {
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
    }),
});
