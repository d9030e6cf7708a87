import { StartError } from '~/server/env.server'
import { commandText } from '~/server/operator-command.server'

/** @param what like 'No course'. */
export function unknownCourse(ids: readonly string[], what = 'No course'): StartError {
  const names = new Intl.ListFormat('en-US', { type: 'disjunction' }).format(ids.map((id) => `'${id}'`))
  return new StartError(`${what} has the ID ${names}. See: ${commandText('admin', 'course list')}`)
}
