/**
 * Turns a line of the log into text for a terminal: the time, the message and the other fields. The
 * stack of an error follows on lines of its own.
 */
export function formatTerminalLine(line: string): string {
  const { level, time, msg, requestId: _, err, ...fields } = JSON.parse(line)
  const words = [formatTime(time), ...listLevelWords(level), msg, ...listFields(fields)]
  const lines = [words.join('  ')]

  if (err !== undefined) {
    const { stack, ...errorFields } = err
    lines.push(`    ${listFields(errorFields).join('  ')}`)
    if (stack !== undefined) {
      lines.push(stack)
    }
  }

  return `${escapeControlCharacters(lines.join('\n'))}\n`
}

/**
 * Escapes the characters that could move the cursor or change the terminal. Line breaks stay,
 * because some messages are lists.
 */
function escapeControlCharacters(text: string): string {
  return text.replace(/(?!\n)\p{Cc}/gu, (character) => {
    const code = character.charCodeAt(0).toString(16).padStart(4, '0')
    return `\\u${code}`
  })
}

/** Formats the time of day of the machine, such as 14:05:09. */
function formatTime(time: number): string {
  return new Date(time).toTimeString().slice(0, 8)
}

const warnLevel = 40
const errorLevel = 50

/** Returns a word for the levels that need attention, and none for the others. */
function listLevelWords(level: number): string[] {
  if (level >= errorLevel) {
    return ['ERROR']
  }

  return level >= warnLevel ? ['WARNING'] : []
}

function listFields(fields: Record<string, unknown>): string[] {
  return Object.entries(fields).map(([name, value]) => `${name}=${formatValue(value)}`)
}

/** Quotes a value unless it is one plain word, so that its end is visible. */
function formatValue(value: unknown): string {
  const isPlainWord = typeof value === 'string' && /^[\w./:*@-]+$/.test(value)
  return isPlainWord ? value : JSON.stringify(value)
}
