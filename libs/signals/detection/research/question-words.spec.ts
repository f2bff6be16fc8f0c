import { questionWords } from './question-words.js';

describe('the words of a question', () => {
  it('D-80 are its words without stop words and duplicates, in their order', () => {
    expect(questionWords('Does the company currently run SAP, or SAP S/4 HANA?')).toEqual(['sap', 'hana']);
    expect(questionWords('Which CRM is used: Ärzte-Software (ＣＲＭ_2)?')).toEqual([
      'crm',
      'ärzte',
      'software',
      'crm_2',
    ]);
  });

  it('D-80 leave out words of one character, also a character of two code units', () => {
    expect(questionWords('x 𝒞 中 中国 don’t')).toEqual(['中国', 'don']);
  });

  it('D-80 D-82 may be none', () => {
    expect(questionWords('What are you looking for, and why?')).toEqual([]);
    expect(questionWords('')).toEqual([]);
  });
});
