/**
 * A Vitest reporter for `npm test`: counts passed tests and lists failures with their messages,
 * including hooks and unhandled errors.
 */
import { writeFileSync } from 'node:fs'
import type { SerializedError } from 'vitest'
import type { Reporter, TestCase, TestModule } from 'vitest/node'

export default class UnitTestReport implements Reporter {
  /** @param strayErrors errors outside of tests, such as an unhandled rejection or a crashed worker */
  onTestRunEnd(modules: readonly TestModule[], strayErrors: readonly SerializedError[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    const failed = [
      ...tests.filter((test) => test.result().state === 'failed').map(describeFailedTest),
      ...modules.flatMap(listModuleErrors),
      ...strayErrors.map((error) => `outside of every test: ${formatError(error)}`),
    ]
    const passed = tests.filter((test) => test.result().state === 'passed').length
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

function formatError({ message, stack = '' }: SerializedError): string {
  return [message.split('\n', 1)[0], /\n\s+(at .*)/.exec(stack)?.[1]].filter(Boolean).join(' ')
}
