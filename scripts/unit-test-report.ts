/**
 * A Vitest reporter for `npm test`. It counts the passed tests, and lists the failures of tests and
 * hooks and the unhandled errors with their messages. It writes the result as JSON to the file that
 * UNIT_TEST_REPORT names.
 */
import { writeFileSync } from 'node:fs'
import type { SerializedError } from 'vitest'
import type { Reporter, TestCase, TestModule } from 'vitest/node'

export default class UnitTestReport implements Reporter {
  /**
   * @param strayErrors errors outside of tests, such as an unhandled rejection or a crashed worker
   */
  onTestRunEnd(modules: readonly TestModule[], strayErrors: readonly SerializedError[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    const passedTests = tests.filter((test) => test.result().state === 'passed')
    const failedTests = tests.filter((test) => test.result().state === 'failed')

    const passed = passedTests.length
    const failed = [
      ...failedTests.map(describeFailedTest),
      ...modules.flatMap(listModuleErrors),
      ...strayErrors.map((error) => `outside of every test: ${formatError(error)}`),
    ]
    writeFileSync(String(process.env.UNIT_TEST_REPORT), JSON.stringify({ passed, failed }))
  }
}

/** Returns the name of a failed test with the message of its first error. */
function describeFailedTest(test: TestCase): string {
  const [error] = test.result().errors ?? []
  return error ? `${test.fullName}: ${formatError(error)}` : test.fullName
}

/** Lists the errors of a test file outside of its tests: it can't be loaded, or a hook failed. */
function listModuleErrors(module: TestModule): string[] {
  const groups = [module, ...module.children.allSuites()]
  return groups
    .flatMap((group) => group.errors())
    .map((error) => `${module.relativeModuleId}: ${formatError(error)}`)
}

/** Returns the first line of the message, with the first line of the stack. */
function formatError({ message, stack = '' }: SerializedError): string {
  const [messageLine] = message.split('\n', 1)
  const [, stackLine] = /\n\s+(at .*)/.exec(stack) ?? []
  return [messageLine, stackLine].filter(Boolean).join(' ')
}
