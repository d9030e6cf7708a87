import { printSentence } from './start-output.mjs'

/**
 * Loads a built program. Operators' mistakes (a bad variable, broken content) are printed as a
 * sentence, without a stack; for commands, so are system errors: a read-only folder, a full disk. Where
 * the product has no terminal, its last words are a line of JSON like its log.
 *
 * JavaScript, like the programs that run the product, so that their process needs no TypeScript
 * compiler.
 *
 * @param {string} program
 */
export async function loadProgram(program) {
  // Set before anything is loaded, because unbundled packages read it, too.
  process.env.NODE_ENV = 'production'
  // `| head` has closed the pipe; the command still finishes its work.
  if (process.env.LEARNIFY_COMMAND) {
    process.stdout.on('error', ignoreClosedPipe)
  }

  try {
    return await import(`../build/server/${program}.js`)
  } catch (error) {
    const message = formatExpectedError(error)
    if (!process.env.LEARNIFY_COMMAND) {
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

/** @param {NodeJS.ErrnoException} error */
function ignoreClosedPipe(error) {
  if (error.code !== 'EPIPE') {
    throw error
  }
}

/** @param {NodeJS.ErrnoException} error */
function formatExpectedError(error) {
  if (error.name === 'StartError') {
    return error.message
  }

  if (!process.env.LEARNIFY_COMMAND || !error.syscall) {
    return null
  }

  const [, reason] = /^[A-Z]+: (.+?), /.exec(error.message) ?? []

  return reason ? `${error.path ? `${error.path}: ` : ''}${reason} (${error.code}).` : error.message
}
