/** Sentences that a bench finds true or not, one after the other. */

/** @returns `check`, which prints a sentence and whether its test passed, and `end`, which ends the bench by the result. */
export function checklist() {
  let failures = 0
  return {
    /** @param {string} sentence @param {() => unknown} test throws if the sentence is not true. */
    async check(sentence, test) {
      try {
        await test()
        console.log(`ok    ${sentence}`)
      } catch (error) {
        failures += 1
        console.log(`FAIL  ${sentence}\n      ${String(error.message).split('\n').slice(0, 6).join('\n      ')}`)
      }
    },
    /** @param {string} success */
    end(success) {
      console.log(failures === 0 ? success : `${failures} failed.`)
      process.exit(failures === 0 ? 0 : 1)
    },
  }
}
