/**
 * Loads a built program. Operators' mistakes (a bad variable, broken content) are printed as a sentence, without a stack; for
 * commands, so are system errors: a read-only folder, a full disk.
 */
export async function load(program: string) {
  // Set before anything is loaded, because unbundled packages read it, too.
  process.env.NODE_ENV = 'production'
  // `| head` has closed the pipe; the command still finishes its work.
  if (process.env.LEARNIFY_COMMAND) process.stdout.on('error', ignoreClosedPipe)
  try {
    return await import(`../build/server/${program}.js`)
  } catch (error) {
    const sentence = sentenceOf(error as NodeJS.ErrnoException)
    if (!sentence) throw error
    console.error(sentence)
    process.exit(1)
  }
}

function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error
}

function sentenceOf(error: NodeJS.ErrnoException): string | null {
  if (error.name === 'StartError') return error.message
  if (!process.env.LEARNIFY_COMMAND || !error.syscall) return null
  const [, reason] = /^[A-Z]+: (.+?), /.exec(error.message) ?? []
  return reason ? `${error.path ? `${error.path}: ` : ''}${reason} (${error.code}).` : error.message
}
