/**
 * Names of members that many stored documents have. The place of a name is its code for ever: a name is added at the end, in one
 * go with new versions of the views that have it, because processes of an earlier version do not know its code.
 */
const NAMES = `
  rev facts name domain url network_url network_handle logo_url location locations is_hq city region state
  country country_code postal_code line1 line2 formatted_address latitude longitude number_of_employees
  employee_range founded_year industries activity_summary tagline pipelineConfigs first_name last_name
  network_headline avatar_url email phone position geo experiences title company_name company_network_url
  start_date end_date is_current type text published_at author full_name headline reaction_count comment_count
  endedAt endReason product payer causeKind subject requestId personaId month heldRevision endedRevision credits
  signalDate sourceUrl data content_id keywords_found details post_text excerpt provenance since reason sourceId
  noticeId listId subjectId memberships companyIds isMet memberId handle comment_text job_title new_role
  new_company previous_role previous_company keywords description posted_at department company
`
  .trim()
  .split(/\s+/);

/** One byte of text each. */
const codeOf = (place: number): string => String.fromCharCode(' '.charCodeAt(0) + place);

const codes = new Map(NAMES.map((name, place) => [name, codeOf(place)]));
const meanings = new Map(
  NAMES.flatMap((name, place) => [
    [`\t${codeOf(place)}`, `"${name}":`],
    [`\n${codeOf(place)}`, `"${name}":null`],
  ]),
);

/**
 * JSON text with codes for the names that are listed: behind a tab, or behind a line feed where the value is null. Text from
 * `JSON.stringify` has neither, so `inFull` gives back exactly what was abbreviated.
 */
export function abbreviated(json: string): string {
  return json.replace(/"(\w+)":(null)?/g, (whole, name: string, none?: string) => {
    const code = codes.get(name);
    if (code === undefined) return whole;
    return none === undefined ? `\t${code}` : `\n${code}`;
  });
}

export function inFull(text: string): string {
  return text.replace(/[\t\n]./g, (token) => {
    const meaning = meanings.get(token);
    if (meaning === undefined) throw new Error('a document was stored by a later version of this program');
    return meaning;
  });
}
