import type MarkdownIt from 'markdown-it'

type Markdown = InstanceType<typeof MarkdownIt>
type Token = ReturnType<Markdown['parse']>[number]

/**
 * Folds the answers of exercises, so that readers can try an exercise before they see its answer.
 */
export function foldAnswers(markdown: Markdown): void {
  markdown.core.ruler.before('inline', 'answers', (state) => {
    const { tokens, Token } = state
    const foldedTokens: Token[] = []
    let answerEnd = -1

    for (const [index, token] of tokens.entries()) {
      const summary = takeAnswerMarker(tokens, index)
      if (summary !== null) {
        const open = new Token('answer_open', 'details', 1)
        open.content = summary
        foldedTokens.push(open)
        answerEnd = findAnswerEnd(tokens, index)
      }

      foldedTokens.push(token)

      if (index === answerEnd) {
        foldedTokens.push(new Token('answer_close', 'details', -1))
      }
    }

    state.tokens = foldedTokens
  })

  markdown.renderer.rules.answer_open = (tokens, index) =>
    `<details class="answer"><summary>${tokens[index]?.content}</summary>\n`
}

/** The bold word at the start of a paragraph that begins the answer of an exercise. */
const answerMarker = /^\*\*(Answers?|Solutions?)[.:]?\*\*[.:]?\s*/

/** Returns the marker of the answer whose paragraph starts at the index, or null if none does. */
function findAnswerMarker(tokens: readonly Token[], index: number) {
  const paragraph = tokens[index]
  const inline = tokens[index + 1]
  if (paragraph?.type !== 'paragraph_open' || paragraph.level !== 0 || !inline) {
    return null
  }

  const match = answerMarker.exec(inline.content)
  if (!match) {
    return null
  }

  const [marker, word = ''] = match
  return { inline, marker, word }
}

/**
 * Removes the marker of an answer from the paragraph that starts at the index.
 *
 * @returns the word in the marker, or null if no answer starts at the index
 */
function takeAnswerMarker(tokens: readonly Token[], index: number): string | null {
  const answer = findAnswerMarker(tokens, index)
  if (answer === null) {
    return null
  }

  const { inline, marker, word } = answer
  inline.content = inline.content.slice(marker.length)
  if (inline.content === '') {
    // Without the marker, the paragraph is empty.
    for (const token of tokens.slice(index, index + 3)) {
      token.hidden = true
    }
  }

  return word
}

/**
 * Returns the index of the last token of an answer. An answer is the rest of the paragraph with its
 * marker. If nothing is left of that paragraph, the answer goes on to the next heading or answer.
 *
 * @param start the index of the paragraph, from which the marker has been removed
 */
function findAnswerEnd(tokens: readonly Token[], start: number): number {
  if (tokens[start + 1]?.content !== '') {
    return start + 2
  }

  let end = start + 2
  while (end + 1 < tokens.length && !startsHeadingOrAnswer(tokens, end + 1)) {
    end += 1
  }

  return end
}

function startsHeadingOrAnswer(tokens: readonly Token[], index: number): boolean {
  const token = tokens[index]
  const isHeading = token?.type === 'heading_open' && token.level === 0
  return isHeading || findAnswerMarker(tokens, index) !== null
}
