import type { ProcessHost } from '#process-engine/process.js';

/** A worker that calls `happens` once, right before its first command with such an id. */
export function workerBefore<Host extends Pick<ProcessHost, 'commands'>>(
  host: Host,
  commandId: RegExp,
  happens: () => Promise<unknown>,
): Host {
  let isOver = false;
  const commands: ProcessHost['commands'] = {
    ...host.commands,
    async handle(decider, id, decision, options) {
      if (!isOver && commandId.test(options.context.commandId)) {
        isOver = true;
        await happens();
      }
      return host.commands.handle(decider, id, decision, options);
    },
  };
  return { ...host, commands };
}
