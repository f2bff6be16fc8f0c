import { partOf, shown } from '../answer.js';
import { idIn, type Action } from './action.js';

const SOURCES = '/console/sources';
const SOURCE = { name: 'source_id', label: 'Source', kind: 'number', isSubject: true } as const;

const changing = (
  command: 'source.pause' | 'source.resume',
  title: string,
  then: 'paused' | 'active',
): Action => ({
  command,
  title,
  fields: [SOURCE],
  from: () => SOURCES,
  async preview(visit, given) {
    const source = partOf(await visit.run('source.show', { source_id: idIn(given, 'source_id') }));
    const now = shown(source, 'status');
    return {
      affects: '1 source',
      changes: [{ name: `Source ${shown(source, 'source_id')}, ${shown(source, 'url')}`, now, then }],
      button: title,
      ...((now === 'paused') === (then === 'paused') && { nothingToDo: `The source is already ${now}.` }),
    };
  },
  written: (answer, given) => ({ text: `Source ${given['source_id']} is ${shown(answer, 'status')}.` }),
});

export const pauseSource = changing('source.pause', 'Pause the source', 'paused');
export const resumeSource = changing('source.resume', 'Resume the source', 'active');
