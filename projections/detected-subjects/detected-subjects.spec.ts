import { foldAll } from '#kernel/testing/project.js';
import { sampleDetection } from '#projections/testing/sample-events.js';
import { detectedSubjectKey, detectedSubjects } from './detected-subjects.projection.js';

const { agentId: _agent, ...anonymous } = sampleDetection();

describe('the subjects an agent or setup has reported', () => {
  it('OP-70 keeps one document for each agent or setup and subject', () => {
    const events = [
      { type: 'SignalDetected', data: sampleDetection({ agentId: 7, subject: 'post:1' }) },
      { type: 'SignalDetected', data: sampleDetection({ agentId: 8, subject: 'post:1' }) },
      { type: 'SignalDetected', data: { ...anonymous, setupId: 31, subject: 'post:2' } },
    ];
    expect([...foldAll(detectedSubjects, events).keys()].sort()).toEqual(
      [
        detectedSubjectKey(1, 7, 'post:1'),
        detectedSubjectKey(1, 8, 'post:1'),
        detectedSubjectKey(1, 31, 'post:2'),
      ].sort(),
    );
  });

  it('keeps the first detection of a subject', () => {
    const events = [1, 2].map((detectionId) => ({
      type: 'SignalDetected',
      data: sampleDetection({ detectionId }),
    }));
    expect([...foldAll(detectedSubjects, events).values()]).toEqual([{ detectionId: 1 }]);
  });

  it('keeps nothing of what was added by hand', () => {
    const events = [{ type: 'SignalDetected', data: { ...anonymous, origin: 'manual' } }];
    expect(foldAll(detectedSubjects, events).size).toBe(0);
  });

  it('stops the work of a workspace rather than guess', () => {
    expect(detectedSubjects.critical).toBe(true);
  });
});
