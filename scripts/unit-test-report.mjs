/** A reporter of Vitest for `npm test`: counts what passed and names what failed, hooks and stray errors included. */
import { writeFileSync } from 'node:fs'

export default class UnitTestReport {
  /**
   * @param {ReadonlyArray<import('vitest/node').TestModule>} modules
   * @param {ReadonlyArray<import('vitest').SerializedError>} strayErrors of no test: an unhandled rejection, a lost worker.
   */
  onTestRunEnd(modules, strayErrors) {
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    const failed = [
      ...tests.filter((test) => test.result().state === 'failed').map((test) => test.fullName),
      ...modules.flatMap(errorsAround),
      ...strayErrors.map((error) => `outside of every test: ${lineOf(error)}`),
    ]
    const passed = tests.filter((test) => test.result().state === 'passed').length
    writeFileSync(String(process.env.UNIT_TEST_REPORT), JSON.stringify({ passed, failed }))
  }
}

/** Of a file that can't be loaded, and of its hooks. */
function errorsAround(module) {
  const groups = [module, ...module.children.allSuites()]
  return groups.flatMap((group) => group.errors()).map((error) => `${module.relativeModuleId}: ${lineOf(error)}`)
}

function lineOf({ message, stack = '' }) {
  return [message.split('\n', 1)[0], /\n\s+(at .*)/.exec(stack)?.[1]].filter(Boolean).join(' ')
}
