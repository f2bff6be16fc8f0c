import { decimalNumber } from '#kernel/values/decimal-number.js';
import { html, type Html } from '#http/page.js';
import { problemOf } from '#http/problem.js';
import { atDesk, subjectPage } from '../console-endpoints.js';
import { WORKSPACE_PATH } from '../desk.js';
import { FORM } from '../form.js';
import { formTokenField, workspaceNav } from '../layout.js';
import { faultPart, type Shown } from '../page-answers.js';
import { textField } from '../parts.js';
import type { Visit } from '../visits.js';
import { workspaceName } from '../workspace.js';

const path = (id: number): string => `/console/workspaces/${id}/verify`;

export const VerifyPage = subjectPage({
  route: 'GET /console/workspaces/:workspace_id/verify',
  summary: 'Verify the ledger of a workspace, or an old statement of it',
  params: WORKSPACE_PATH,
  async show(visit, { workspace_id: id }) {
    // A link may not send the form.
    visit.requireMay('ledger.verify');
    return verifyPage(visit, id, await workspaceName(visit, id), new URLSearchParams(), null);
  },
});

export const BeginVerify = atDesk({
  route: 'POST /console/workspaces/:workspace_id/verify',
  summary: 'Begin to verify the ledger of a workspace',
  params: WORKSPACE_PATH,
  body: FORM,
  otherStatuses: [303, 403, 404, 409, 422],
  answer: (desk, { params: { workspace_id: id }, body, ...asked }) =>
    desk.action(
      asked,
      body,
      () => path(id),
      async (visit, form) => {
        // An unknown workspace is refused here, before the work starts.
        const name = await workspaceName(visit, id);
        const [revision, hash] = [form.get('revision'), form.get('hash')];
        const input = {
          workspace_id: id,
          ...(revision !== null && { revision: decimalNumber(revision) }),
          ...(hash !== null && { hash: hash.trim() }),
        };
        const words = { title: `Verifying the ledger of ${name}`, back: path(id) };
        try {
          return { to: visit.begin('ledger.verify', input, words) };
        } catch (error) {
          if (problemOf(error).status !== 422) throw error;
          return { ...verifyPage(visit, id, name, form, error), status: 422, refusal: error };
        }
      },
    ),
});

/** The page with what was filled in; after a refusal each fault is beside its field. */
function verifyPage(
  { session }: Visit,
  id: number,
  name: string,
  given: URLSearchParams,
  refusal: unknown,
): Shown {
  const faults = refusal === null ? undefined : problemOf(refusal).errors;
  const field = (name: string, label: string, more: Html): Html =>
    textField(name, { label, value: given.get(name) ?? '', faults: faults?.get(name), more });
  return {
    title: `Verify the ledger of ${name}`,
    body: html`${workspaceNav(session, id, 'verify')} ${refusal === null ? '' : faultPart(refusal)}
      <p>
        Every entry is read again: the hash of each is computed from the one before, the sums are added up,
        and both are compared with what the pages show. Nothing is changed.
      </p>
      <form method="post" action="${path(id)}">
        ${formTokenField(session.formToken)}
        <button class="primary">Verify now</button>
      </form>
      <h2>An old statement</h2>
      <p>Does a statement that was printed once still stand? Its revision and its hash are at its end.</p>
      <form class="filter" method="post" action="${path(id)}">
        ${formTokenField(session.formToken)}
        ${field('revision', 'Revision', html`inputmode="numeric" size="10" required`)}
        ${field('hash', 'Hash', html`pattern="[0-9a-f]{64}" size="64" required`)}
        <button>Verify the statement</button>
      </form>`,
  };
}
