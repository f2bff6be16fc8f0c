import { Inject } from '@nestjs/common';
import type { EndpointSpec, NoParameters } from '#http/endpoint-spec.js';
import { Endpoint, type PublicRequest } from '#http/endpoint.js';
import type { PathParameters, QueryParameters, ValuesOf } from '#http/parameters.js';
import type { RequestRefused } from '#http/problem.js';
import type { TextAnswer } from '#http/text-answer.js';
import { CONSOLE, type Asked, type Desk } from './desk.js';
import { problemPage, type Done, type PageReply } from './page-answers.js';
import type { Visit } from './visits.js';

type Answered = PageReply | TextAnswer;

type AtDesk<Body, Query extends QueryParameters, Params extends PathParameters> = Omit<
  EndpointSpec<Body, Query, Params>,
  'caller' | 'html' | 'answersRefusals' | 'problemPage'
> & {
  readonly answer: (
    desk: Desk,
    request: PublicRequest<{ body: Body; query: Query; params: Params }>,
  ) => Answered | Promise<Answered>;
  /** The answer to an address with a malformed id or query; absent: the page of a refusal. */
  readonly refuse?: (desk: Desk, asked: Asked, refusal: RequestRefused) => Answered | Promise<Answered>;
};

/**
 * An endpoint of the console, as a class for its module. It is public: the console itself checks who is signed in,
 * and answers refusals and problems with a page, also that of a malformed address.
 */
export function atDesk<
  Body = undefined,
  const Query extends QueryParameters = NoParameters,
  const Params extends PathParameters = NoParameters,
>({ answer, refuse = refuseAtDesk, ...spec }: AtDesk<Body, Query, Params>) {
  @Endpoint<'public', Body, Query, Params>({
    ...spec,
    caller: 'public',
    html: true,
    answersRefusals: true,
    problemPage,
  })
  class ConsoleEndpoint {
    constructor(@Inject(CONSOLE) private readonly desk: Desk) {}

    handle(request: PublicRequest<{ body: Body; query: Query; params: Params }>) {
      const { refusal } = request;
      return refusal === null ? answer(this.desk, request) : refuse(this.desk, request, refusal);
    }
  }
  return ConsoleEndpoint;
}

const refuseAtDesk = (desk: Desk, asked: Asked, refusal: RequestRefused): Promise<PageReply> =>
  desk.page(asked, () => Promise.reject(refusal));

type Page<Query extends QueryParameters, Params extends PathParameters> = Pick<
  EndpointSpec<undefined, Query, Params>,
  'route' | 'summary' | 'params' | 'query'
> & {
  /** The page for a visit, with the values of the path and of the query. */
  readonly show: (visit: Visit, asked: ValuesOf<Params> & ValuesOf<Query>) => Promise<Done>;
};

/** The statuses of pages besides 200: without a session, without the right, with a faulty query. */
export const PAGE_STATUSES = [303, 403, 422] as const;

/** The statuses of pages about an object that may not exist. */
export const SUBJECT_STATUSES = [303, 403, 404, 422] as const;

const pageWith =
  (otherStatuses: EndpointSpec['otherStatuses']) =>
  <const Query extends QueryParameters = NoParameters, const Params extends PathParameters = NoParameters>({
    show,
    ...spec
  }: Page<Query, Params>) =>
    atDesk<undefined, Query, Params>({
      ...spec,
      otherStatuses,
      answer: (desk, { params, query, ...asked }) =>
        desk.page(asked, (visit) => {
          // A page that runs no command before its form is filled in is 403, too.
          const workspaceId: unknown = Reflect.get(params, 'workspace_id');
          if (typeof workspaceId === 'number') visit.requireWorkspace(workspaceId);
          return show(visit, { ...params, ...query });
        }),
    });

/** A page for signed-in operators. */
export const page = pageWith(PAGE_STATUSES);

/** A page about an object that may not exist. */
export const subjectPage = pageWith(SUBJECT_STATUSES);
