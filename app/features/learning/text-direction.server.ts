import type MarkdownIt from 'markdown-it'

type Markdown = InstanceType<typeof MarkdownIt>
type Token = ReturnType<Markdown['parse']>[number]

export type Direction = 'ltr' | 'rtl'

/**
 * Sets the direction of each block whose letters are read in another direction than its article.
 */
export function setDirections(markdown: Markdown): void {
  markdown.core.ruler.after('inline', 'directions', ({ tokens, src }) => {
    const articleDirection = detectDirection(src)
    for (const [index, token] of tokens.entries()) {
      const isBlockStart = token.level === 0 && token.nesting === 1
      if (!isBlockStart) {
        continue
      }

      const direction = detectDirection(readBlockText(tokens, index), articleDirection)
      if (direction !== articleDirection) {
        token.attrSet('dir', direction)
      }
    }
  })
}

/** Returns the text of the block that starts at the index. */
function readBlockText(tokens: readonly Token[], start: number): string {
  const texts: string[] = []
  for (let index = start; index < tokens.length; index++) {
    const token = tokens[index]
    const isBlockEnd = token?.nesting === -1 && token.level === 0
    if (isBlockEnd) {
      break
    }

    if (token?.type === 'inline') {
      texts.push(token.content)
    }
  }

  return texts.join(' ')
}

/**
 * Returns the direction of most letters of a text. Code is ignored.
 *
 * @param fallback the direction of a text without letters
 */
export function detectDirection(text: string, fallback: Direction = 'ltr'): Direction {
  const textWithoutCode = text.replaceAll(/```.*?```|`[^`]*`/gs, '')
  const letterCount = textWithoutCode.match(/\p{L}/gu)?.length ?? 0
  if (letterCount === 0) {
    return fallback
  }

  const rightToLeftLetters =
    /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}]/gu
  const rightToLeftCount = textWithoutCode.match(rightToLeftLetters)?.length ?? 0

  return rightToLeftCount * 2 > letterCount ? 'rtl' : 'ltr'
}
