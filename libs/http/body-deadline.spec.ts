import type { FastifyReply } from 'fastify';
import { bodyDeadlines } from './body-deadline.js';

/** A request whose body is incomplete, with the members that deadlines use. */
function onItsWay(): { readonly reply: FastifyReply; readonly refused: Promise<unknown>; whole: boolean } {
  const since = performance.now();
  let refuse: (why: unknown) => void = () => undefined;
  const refused = new Promise((resolve) => (refuse = resolve));
  const body = { whole: false, refused };
  const request = {
    bodyPlace: null,
    raw: {
      get complete() {
        return body.whole;
      },
    },
  };
  const reply = {
    request,
    sent: false,
    get elapsedTime() {
      return performance.now() - since;
    },
    send: (why: unknown) => refuse(why),
  };
  return Object.assign(body, { reply: reply as unknown as FastifyReply });
}

describe('the deadlines of bodies', () => {
  it('OP-73 refuse each body that is not complete in time, also in a reused slot, and no other', async () => {
    const deadlines = bodyDeadlines(30);
    const [answered, whole, late, later, gone] = [onItsWay(), onItsWay(), onItsWay(), onItsWay(), onItsWay()];
    const refusedToo: unknown[] = [];
    for (const each of [answered, whole, gone]) void each.refused.then((why) => refusedToo.push(why));
    deadlines.start(answered.reply);
    deadlines.start(whole.reply);
    deadlines.over(answered.reply);
    deadlines.over(answered.reply);
    deadlines.start(late.reply);
    deadlines.start(gone.reply);
    deadlines.over(gone.reply);
    deadlines.start(later.reply);
    deadlines.start(answered.reply);
    deadlines.over(answered.reply);
    whole.whole = true;
    expect(await late.refused).toMatchObject({ problem: { status: 408 } });
    expect(await later.refused).toMatchObject({ problem: { status: 408 } });

    // no leftover prevents the next one from being checked
    const next = onItsWay();
    deadlines.start(next.reply);
    expect(await next.refused).toMatchObject({ problem: { status: 408 } });
    expect(refusedToo).toEqual([]);
  });
});
