import {
  longDashes,
  normalizeTypedAnswer,
  removeInvisibleCharacters,
  replaceSuperscripts,
} from './normalize-typed-answer'

/** Returns whether a typed text equals an accepted one, as `foldText` compares them. */
export function isAcceptedText(typedText: string, acceptedTexts: readonly string[]): boolean {
  const foldedTypedTexts = listDashVariants(typedText).map(foldText)
  if (foldedTypedTexts.includes('')) {
    return false
  }

  // A learner may type m2 if the accepted text is m². If it is x2, x² is another answer.
  const foldedAcceptedTexts = acceptedTexts.flatMap((text) => [
    foldText(text),
    foldText(replaceSuperscripts(text)),
  ])

  return foldedTypedTexts.some((text) => foldedAcceptedTexts.includes(text))
}

/** Returns the text with each long dash as two hyphens, and the text with each as one. */
function listDashVariants(text: string): string[] {
  const visibleText = removeInvisibleCharacters(text)
  return [visibleText.replaceAll(longDashes, '--'), visibleText.replaceAll(longDashes, '-')]
}

const quotes = /["'`´“”„‟‘’‚‛«»‹›′″‵‶ʹʺʼʻ＂＇]/gu

/**
 * Returns the same text for texts that differ only in case, spaces, quotes, hyphens between
 * letters, an English article at the start or punctuation at the end.
 */
export function foldText(text: string): string {
  const normalizedText = normalizeTypedAnswer(text)
  const foldedText = normalizedText
    .replaceAll(quotes, '')
    .replace(/^(the|an?) /u, '')
    .replaceAll(/\s/gu, '')
    .replaceAll(/(?<=\p{L})-+(?=\p{L})/gu, '')
    .replace(/[.,;!]+$/u, '')

  // The correct answer may consist of nothing but quotes or punctuation.
  return foldedText === '' ? normalizedText : foldedText
}
