/**
 * What a question of the open attempt asks, out of the page's own form; null if the page has none.
 *
 * @throws if the page does not say how many questions there are: then nothing that follows would be tried.
 */
export function questionOf(page, number) {
  const hidden = (name) => new RegExp(`name="${name}" value="([^"]+)"`).exec(page)?.[1]
  if (!hidden('question')) return null
  const count = Number(/Question \d+ of (\d+)/.exec(page.replaceAll('<!-- -->', ''))?.[1])
  if (!count) throw new Error('A good exam page does not say how many questions it has.')
  const options = [...page.matchAll(/<input[^>]* name="answer"/g)].length
  return { attemptId: hidden('attempt'), number, type: hidden('type'), count, options }
}

export function randomAnswer({ type, options }) {
  const place = Math.floor(Math.random() * options)
  if (type === 'single') return place
  if (type === 'multiple') return [place]
  if (type === 'ordering') return [...Array(options).keys()].map((index) => (index + place) % options)
  return String(Math.floor(Math.random() * 20))
}

/** As a learner gives it who knows. @param drawn one question of what the database has drawn for an attempt. */
export function rightAnswer({ question, order }) {
  const options = question.items ?? question.options ?? []
  const shown = order.map((place) => options[place])
  const placeOf = (option) => shown.indexOf(option)
  if (question.type === 'single') return placeOf(question.answer)
  if (question.type === 'multiple') return question.answers.map(placeOf).sort((a, b) => a - b)
  if (question.type === 'ordering') return question.items.map(placeOf)
  return question.type === 'numeric' ? String(question.answer) : question.accepted[0]
}
