import { numberOf, partOf, rowsOf, shown, type AnswerPart } from '../answer.js';
import type { Visit } from '../visits.js';

const MOST_ROWS = 100;

/** The row of a list in which this member has this value; an empty one if there is none. */
export async function rowNamed(
  visit: Visit,
  list: { readonly command: string; readonly rows: string; readonly input: object },
  member: string,
  value: string,
): Promise<AnswerPart> {
  for (let page = 1; ; page += 1) {
    const answer = await visit.run(list.command, { ...list.input, page, page_size: MOST_ROWS });
    const row = rowsOf(answer, list.rows).find((each) => shown(each, member) === value);
    if (row !== undefined) return row;
    if (page >= numberOf(partOf(answer), 'page_count')) return {};
  }
}
