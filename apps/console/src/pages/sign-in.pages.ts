import { Inject } from '@nestjs/common';
import { Endpoint, type PublicRequest } from '#http/endpoint.js';
import { CONSOLE, PAGE, type Desk } from '../desk.js';
import { FORM } from '../form.js';

@Endpoint({
  caller: 'public',
  route: 'GET /console/sign-in',
  summary: 'The page where an operator signs in',
  html: true,
})
export class SignInPage {
  constructor(@Inject(CONSOLE) private readonly desk: Desk) {}

  handle() {
    return this.desk.signInPage();
  }
}

@Endpoint({
  caller: 'public',
  route: 'POST /console/sign-in',
  summary: 'Begin a session with the token of an operator',
  body: FORM,
  html: true,
  otherStatuses: [303, 403],
})
export class SignIn {
  constructor(@Inject(CONSOLE) private readonly desk: Desk) {}

  handle({ body, ...asked }: PublicRequest<{ body: AsyncIterable<Uint8Array> }>) {
    return this.desk.signIn(asked, body);
  }
}

@Endpoint({
  ...PAGE,
  route: 'POST /console/sign-out',
  summary: 'End the session',
  body: FORM,
})
export class SignOut {
  constructor(@Inject(CONSOLE) private readonly desk: Desk) {}

  handle({ body, ...asked }: PublicRequest<{ body: AsyncIterable<Uint8Array> }>) {
    return this.desk.signOut(asked, body);
  }
}
