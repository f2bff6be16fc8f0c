import { atDesk, PAGE_STATUSES } from '../console-endpoints.js';
import { textQuery } from '#http/parameters.js';
import { FORM } from '../form.js';

export const SignInPage = atDesk({
  route: 'GET /console/sign-in',
  summary: 'The page where an operator signs in; then the browser is redirected to `to`',
  query: { to: textQuery({ maximum: 8_000, invalid: 422, empty: true }) },
  answer: (desk, { query: { to } }) => desk.signInPage(to),
  refuse: (desk) => desk.signInPage(null),
});

export const SignIn = atDesk({
  route: 'POST /console/sign-in',
  summary: 'Begin a session with the token of an operator',
  body: FORM,
  otherStatuses: [303, 403],
  answer: (desk, { body, ...asked }) => desk.signIn(asked, body),
});

export const SignOut = atDesk({
  route: 'POST /console/sign-out',
  summary: 'End the session',
  body: FORM,
  otherStatuses: PAGE_STATUSES,
  answer: (desk, { body, ...asked }) => desk.signOut(asked, body),
});
