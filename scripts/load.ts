/**
 * A built program. A mistake of the operator's (a bad variable, broken content) is said in a sentence, without a stack; so is,
 * of a command, what the system refuses: a folder that can't be written to, a full disk.
 */
export async function load(program: string) {
  // Before anything is loaded: what stays outside of the bundle asks for it, too.
  process.env.NODE_ENV = 'production'
  // `| head` has read enough; what the command does is finished all the same.
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
