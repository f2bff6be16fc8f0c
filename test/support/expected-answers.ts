import type { Answer } from './service.js';

type Asked = Promise<Pick<Answer, 'status' | 'body'>>;

/** Expects an answer with this status, and returns its body. */
export async function answered(status: number, asked: Asked): Promise<Answer['body']> {
  const answer = await asked;
  expect({ status: answer.status, body: answer.body }).toEqual({ status, body: answer.body });
  return answer.body;
}

/** Expects a problem with this status that names exactly these fields, and returns it. */
export async function refusal(
  status: number,
  asked: Asked,
  ...fields: readonly string[]
): Promise<Answer['body']> {
  const problem = await answered(status, asked);
  const named = Object.keys(problem.errors ?? {}).sort();
  expect({ named, problem }).toEqual({ named: [...fields].sort(), problem });
  return problem;
}

/** The ids of rows of an answer, in their order. */
export const idsIn = (rows: readonly { readonly id: number }[]): readonly number[] =>
  rows.map(({ id }) => id);

/** Expects exactly this detection: of a company alone, paid and without sources, unless its fields say otherwise. */
export function expectDetection(shown: Answer['body'], fields: object): void {
  expect(shown).toEqual({
    id: expect.any(Number),
    lead_id: null,
    company_id: expect.any(Number),
    author: null,
    provenance: [],
    movement_id: expect.any(Number),
    ...fields,
  });
}

/** The details of a signal in v3, when it has none of them. */
export const NO_DETAILS = {
  post_text: null,
  interaction: null,
  comment_text: null,
  counterpart_name: null,
  counterpart_role: null,
  counterpart_company: null,
  job_title: null,
  new_role: null,
  new_company: null,
  previous_role: null,
  previous_company: null,
  keywords: null,
  action_date: null,
};
