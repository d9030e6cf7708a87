/**
 * Loads the built programs. This file is JavaScript, like the programs that run the product, so
 * that their process needs no TypeScript compiler.
 */
import { printSentence } from './start-output.mjs'

/**
 * Loads a program of `build/server/`. LEARNIFY_COMMAND is set if the program is a command.
 *
 * An error that the operator can correct, such as a bad setting or broken content, is printed as a
 * sentence without a stack, and ends the process. For commands, that is also true of system errors,
 * such as a full disk. Every other error of the product itself is printed as a line of its log.
 *
 * @param {string} program
 */
export async function loadProgram(program) {
  // This is set before anything is loaded, because unbundled packages read it, too.
  process.env.NODE_ENV = 'production'

  const isCommand = Boolean(process.env.LEARNIFY_COMMAND)
  if (isCommand) {
    process.stdout.on('error', ignoreClosedPipe)
  }

  try {
    return await import(`../build/server/${program}.js`)
  } catch (error) {
    const message = formatExpectedError(error)
    if (!isCommand) {
      printSentence(message ?? error.stack, 'fatal')
      process.exit(1)
    }

    if (!message) {
      throw error
    }

    console.error(message)
    process.exit(1)
  }
}

/**
 * After `| head` has closed the pipe, the command still finishes its work.
 *
 * @param {NodeJS.ErrnoException} error
 */
function ignoreClosedPipe(error) {
  if (error.code !== 'EPIPE') {
    throw error
  }
}

/**
 * Returns a sentence for an error that the operator can correct, or null for any other error.
 *
 * @param {NodeJS.ErrnoException} error
 */
function formatExpectedError(error) {
  if (error.name === 'StartError') {
    return error.message
  }

  if (!process.env.LEARNIFY_COMMAND || !error.syscall) {
    return null
  }

  // The message of a system error is like "ENOSPC: no space left on device, write".
  const [, reason] = /^[A-Z]+: (.+?), /.exec(error.message) ?? []
  if (!reason) {
    return error.message
  }

  const file = error.path ? `${error.path}: ` : ''
  return `${file}${reason} (${error.code}).`
}
