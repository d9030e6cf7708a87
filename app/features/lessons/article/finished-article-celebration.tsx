import { Check } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useLocation, useNavigationType } from 'react-router'
import { CelebrationCard } from '~/ui/celebration-card'
import { articleJustFinished } from '../history-state'
import { lessonFinished } from '../lesson-messages'

/** Long enough to read a title; the tick in the curriculum says the same and stays. */
const shownMs = 6_000

/** Celebrates the article that led here; it leaves by itself. */
export function FinishedArticleCelebration() {
  const { key, state } = useLocation()
  const title = articleJustFinished(state, useNavigationType())
  const [over, setOver] = useState<string | null>(null)
  useEffect(() => {
    if (title === null) return
    const timer = setTimeout(() => setOver(key), shownMs)
    return () => clearTimeout(timer)
  }, [title, key])
  if (title === null || over === key) return null
  return (
    <CelebrationCard
      key={key}
      place="corner"
      icon={<Check size={28} />}
      title={lessonFinished}
      text={title}
      onDismiss={() => {
        setOver(key)
        // The focus would be lost with the button.
        document.getElementById('main')?.focus()
      }}
    />
  )
}
