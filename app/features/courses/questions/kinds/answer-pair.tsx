import type { ReactNode } from 'react'

type AnswerPairProps = {
  /** Null if the question was not answered. */
  answer: ReactNode
  correctAnswer: ReactNode
  isCorrect: boolean
}

/** The learner's answer, followed by the correct one if it differs. */
export function AnswerPair({ answer, correctAnswer, isCorrect }: AnswerPairProps) {
  if (isCorrect) {
    return (
      <dl className="grid gap-4">
        <NamedAnswer name="Your answer">{answer}</NamedAnswer>
      </dl>
    )
  }

  return (
    <dl className="grid gap-4">
      {answer !== null && <NamedAnswer name="Your answer">{answer}</NamedAnswer>}
      <NamedAnswer name="Correct answer">{correctAnswer}</NamedAnswer>
    </dl>
  )
}

function NamedAnswer({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-muted text-sm">{name}</dt>
      <dd className="mt-1 font-medium">{children}</dd>
    </div>
  )
}
