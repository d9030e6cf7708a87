import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { foldText, isAcceptedText } from './accepted-text'

const anyText = fc
  .array(fc.integer({ min: 1, max: 0x10ffff }))
  .map((codes) => String.fromCodePoint(...codes))

describe('a typed text', () => {
  it.each([
    ['—force', '--force'],
    ['–force', '--force'],
    ['––force', '--force'],
    ['−1', '-1'],
    ['—v', '-v'],
    ['rock—paper', 'rock-paper'],
    ['don’t', "don't"],
    ['don´t', "don't"],
    ['«да»', '"да"'],
    ['BİNARY', 'binary'],
    ['BINARY', 'binary'],
    ['ΟΔΟΣ', 'οδος'],
    ['STRASSE', 'Straße'],
    ['bi\u00adna\u200bry', 'binary'],
    ['\u202abinary\u202c', 'binary'],
    ['x^2', 'x²'],
    ['m2', 'm²'],
    ['H₂O', 'h2o'],
    ['٤٢', '42'],
  ])('takes the text %j for %j', (typed, accepted) => {
    expect(isAcceptedText(typed, [accepted])).toBe(true)
  })

  it.each([
    ['-force', '--force'],
    ['10³', '103'],
    ['x²', 'x2'],
    ['\u200b', 'binary'],
    ['1', '-1'],
  ])('does not take the text %j for %j', (typed, accepted) => {
    expect(isAcceptedText(typed, [accepted])).toBe(false)
  })

  it('does not fold away an answer of signs only', () => {
    expect(foldText('...')).not.toBe(foldText("''"))
  })

  it('does not care how often a text is folded', () => {
    fc.assert(
      fc.property(anyText, (typed) => {
        expect(foldText(foldText(typed))).toBe(foldText(typed))
        expect(foldText(`  ${typed}\t`)).toBe(foldText(typed))
      }),
    )
  })
})
