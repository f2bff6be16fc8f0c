import { isJsonObject, type JsonObject } from '#kernel/values/json.js';

/** Detectors of top accounts had names of their own; the general detectors now take an audience. */
const TODAY: { readonly [kind: string]: string } = {
  top_account_post: 'keyword_post',
  job_posting: 'keyword_job_posting',
  top_account_job_posting: 'keyword_job_posting',
};

/** Version 1 of RunLaunched had no audiences: they followed from its detector and its list. */
export function launchBeforeAudiences(launch: JsonObject): JsonObject {
  const { detectorKind, persona, scope } = launch;
  const kind = typeof detectorKind === 'string' ? detectorKind : '';
  const audience = kind.startsWith('top_account_')
    ? 'top_accounts'
    : scope === undefined
      ? 'network'
      : 'list_members';
  return {
    ...launch,
    detectorKind: TODAY[kind] ?? kind,
    audiences: [audience],
    persona: isJsonObject(persona) ? { ...persona, headcounts: [], industries: [] } : null,
    coveredFor: null,
    targetTitles: null,
  };
}
