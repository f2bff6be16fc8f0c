import { counted } from '#kernel/values/counted.js';
import { html } from '#http/page.js';
import { cells, numberOf, partOf, rowsOf, shown } from '../answer.js';
import { actionLink } from '../actions/action.js';
import { subjectPage } from '../console-endpoints.js';
import { PAGE_NUMBER, WORKSPACE_PATH } from '../desk.js';
import { actionLinks, pageLinks, table, workspaceNav } from '../layout.js';
import { moment } from '../parts.js';

export const AccessPage = subjectPage({
  route: 'GET /console/workspaces/:workspace_id/access',
  summary: 'The API keys of a workspace, with the time of their last use',
  params: WORKSPACE_PATH,
  query: { page: PAGE_NUMBER, links_page: PAGE_NUMBER },
  async show({ run, may, session }, { workspace_id: id, page, links_page: linksPage }) {
    const workspace = partOf(await run('workspace.show', { workspace_id: id }));
    const [answer, links] = await Promise.all([
      run('apikey.list', { workspace_id: id, page }),
      run('link.list', { workspace_id: id, page: linksPage }),
    ]);
    const numbers = partOf(answer);
    return {
      title: `Access to ${shown(workspace, 'name')}`,
      body: html`${workspaceNav(session, id, 'access')}
        ${actionLinks(may, [
          ['apikey.issue', { workspace_id: id }, 'Issue a key'],
          shown(workspace, 'blocked') === 'yes'
            ? ['workspace.unblock', { workspace_id: id }, 'Lift the block']
            : ['workspace.block', { workspace_id: id }, 'Block the workspace'],
        ])}
        ${table(
          counted(numberOf(numbers, 'total'), 'API key'),
          ['Id', 'Label', 'Begins with', 'Only reads', 'Revoked', 'Last used (UTC)', 'Action'],
          rowsOf(answer, 'keys').map((key) => [
            ...cells(key, 'key_id', 'label'),
            html`<code>${shown(key, 'prefix')}</code>`,
            ...cells(key, 'read_only', 'revoked'),
            moment(key, 'last_used_at'),
            may('apikey.revoke') && shown(key, 'revoked') === 'no'
              ? html`<a
                  href="${actionLink('apikey.revoke', { workspace_id: id, key_id: numberOf(key, 'key_id') })}"
                  >Revoke</a
                >`
              : '',
          ]),
          'There is no key on this page.',
        )}
        ${pageLinks(numbers, `/console/workspaces/${id}/access?links_page=${linksPage}&`)}
        <h2>Read-only links</h2>
        <p>
          A link shows the ledger of this workspace to the first person who opens it, and changes nothing.
        </p>
        ${actionLinks(may, [['link.add', { workspace_id: id }, 'Make a link']])}
        ${table(
          counted(numberOf(partOf(links), 'total'), 'link'),
          ['Link', 'For', 'Made (UTC)', 'By', 'Opened (UTC)', 'Ends (UTC)', 'Withdrawn (UTC)', 'Action'],
          rowsOf(links, 'links').map((link) => [
            html`<code>${shown(link, 'link_id')}</code>`,
            shown(link, 'label'),
            moment(link, 'made_at'),
            shown(link, 'made_by'),
            moment(link, 'opened_at'),
            moment(link, 'expires_at'),
            moment(link, 'withdrawn_at'),
            may('link.withdraw') && shown(link, 'active') === 'yes'
              ? html`<a
                  href="${actionLink('link.withdraw', { workspace_id: id, link_id: shown(link, 'link_id') })}"
                  >Withdraw</a
                >`
              : '',
          ]),
          'There is no link on this page.',
        )}
        ${pageLinks(partOf(links), `/console/workspaces/${id}/access?page=${page}&`, 'links_page', 'the links')}`,
    };
  },
});
