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
