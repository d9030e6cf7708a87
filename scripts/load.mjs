/** A built program. A mistake of the operator's (a bad variable, broken content) is said in a sentence, without a stack. */
export async function load(program) {
  // Before anything is loaded: what stays outside of the bundle asks for it, too.
  process.env.NODE_ENV = 'production'
  try {
    return await import(`../build/server/${program}.js`)
  } catch (error) {
    if (error.name !== 'StartError') throw error
    console.error(error.message)
    process.exit(1)
  }
}
