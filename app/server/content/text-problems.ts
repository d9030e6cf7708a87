/** Characters that break a screen or are invisible, and their names. */
const harmful = [
  { pattern: /(?![\t\n\r])\p{Cc}/u, name: 'control character' },
  { pattern: /\p{Surrogate}/u, name: 'half of a character' },
  { pattern: /[\u202a-\u202e\u2066-\u2069]/u, name: 'invisible character that turns the direction of text' },
  { pattern: /[\ufdd0-\ufdef\ufffe\uffff]/u, name: 'code that isn’t a character' },
]

/** @returns a sentence for each line that a page cannot show safely. */
export function textProblems(text: string): { line: number; problem: string }[] {
  return text.split('\n').flatMap((content, index) => {
    const problem = textProblem(content)
    return problem ? [{ line: index + 1, problem }] : []
  })
}

/** @returns what is wrong with a text, or null. */
export function textProblem(text: string): string | null {
  for (const { pattern, name } of harmful) {
    const found = pattern.exec(text)?.[0]
    if (found === undefined) continue
    const code = (found.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
    return `The text has the ${name} U+${code}. Delete it and retype that part.`
  }
  return null
}

/** Whether a reader sees anything at all: spaces and invisible marks alone are no text. */
export function isVisible(text: string): boolean {
  return /[^\p{C}\p{Z}\p{M}\u115f\u1160\u2800\u3164\uffa0]/u.test(text)
}
