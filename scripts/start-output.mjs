/**
 * Prints what `npm start` has to say before the product's own log starts: sentences on a terminal,
 * and elsewhere lines of JSON like those of the log. This file is JavaScript and imports no
 * packages, because it runs before they are installed.
 */
const progressIntervalMs = 5_000

/** The numbers that pino gives to these levels. */
const levels = { info: 30, fatal: 60 }

/**
 * Prints a sentence to standard error, because the output of a command may be read by a program.
 *
 * @param {string} sentence
 * @param {keyof typeof levels} level
 */
export function printSentence(sentence, level = 'info') {
  const { isTTY } = process.stderr
  const line = JSON.stringify({ level: levels[level], time: Date.now(), msg: sentence })
  process.stderr.write(`${isTTY ? sentence : line}\n`)
}

/**
 * Prints every five seconds that a task still runs.
 *
 * @param {string} task such as 'Installing packages'
 * @param {(sentence: string) => void} print
 * @returns {() => void} a function that stops the reports
 */
export function reportProgress(task, print) {
  const startMs = performance.now()
  const timer = setInterval(() => {
    const seconds = Math.round((performance.now() - startMs) / 1000)
    print(`${task}: ${seconds} seconds so far.`)
  }, progressIntervalMs)

  return () => clearInterval(timer)
}
