/** A question as the content has it, right answers included: never sent to a browser before the attempt is handed in. */
export type ExamQuestion = { id: string; prompt: string; explanation: string; explainedIn?: string | undefined } & (
  | { type: 'single'; options: string[]; answer: string }
  | { type: 'multiple'; options: string[]; answers: string[] }
  /** `items` stand in the right order. */
  | { type: 'ordering'; items: string[] }
  | { type: 'numeric'; answer: number; tolerance: number; unit?: string }
  | { type: 'text'; accepted: string[] }
)

/**
 * What a learner answered. Places of options as the learner saw them: one for `single`, ascending for `multiple`, all of
 * them in the chosen order for `ordering`. Text as typed for `numeric` and `text`. Null: not answered.
 */
export type ExamAnswer = number | readonly number[] | string | null

/** A question of one attempt: `order[shown]` is the place in the content of the option that the learner sees at `shown`. */
export type DrawnQuestion = { question: ExamQuestion; order: readonly number[] }

/**
 * All that a browser gets of a question while the attempt is open. It has no id: authors name questions after what they
 * ask for. A browser calls it by its number in the attempt, from 1.
 */
export type ShownQuestion = {
  type: ExamQuestion['type']
  prompt: string
  /** In the order of this attempt; empty for `numeric` and `text`. */
  options: readonly string[]
  /** Only for `numeric`. */
  unit: string | null
}

/** Options as the content lists them; for `ordering` that is the right order. */
export function optionsOf(question: ExamQuestion): readonly string[] {
  if (question.type === 'ordering') return question.items
  return 'options' in question ? question.options : []
}

/** Leaves out everything that tells or hints at the right answer. */
export function shownQuestion({ question, order }: DrawnQuestion): ShownQuestion {
  const options = optionsOf(question)
  return {
    type: question.type,
    prompt: question.prompt,
    options: order.map((place) => options[place] ?? ''),
    unit: question.type === 'numeric' ? (question.unit ?? null) : null,
  }
}
