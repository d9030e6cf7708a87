import { type RefObject, useEffect, useState } from 'react'
import type { SessionUser } from '../session/session-user'
import { draftKey, forgetSettingsDraft } from './kept-draft'

const fields = ['firstName', 'lastName', 'phone', 'location', 'timezone'] as const

type Draft = Record<string, string>

/** What differs from the record; empty for a form that says what is saved. */
export function draftOf(form: Iterable<[string, unknown]>, saved: Pick<SessionUser, (typeof fields)[number]>): Draft {
  const typed = Object.fromEntries(form)
  return Object.fromEntries(
    fields.flatMap((name) => {
      const value = typed[name]
      return typeof value === 'string' && value !== (saved[name] ?? '') ? [[name, value]] : []
    }),
  )
}

type Kept = { uid: string; draft: Draft }

/**
 * What was typed into the settings and not saved yet: it survives a closed tab, is nobody else's, and goes at logout. A
 * photo cannot be kept.
 *
 * @param keeps false for an account whose next visitor may be somebody else.
 * @returns `restored` once an earlier visit's was filled in.
 */
export function useSettingsDraft(learner: SessionUser, form: RefObject<HTMLFormElement | null>, keeps: boolean) {
  const { uid } = learner
  const [restored, setRestored] = useState(false)
  useEffect(() => {
    const draft = keeps && readDraft(uid)
    if (!draft || !form.current) return
    for (const [name, value] of Object.entries(draft)) {
      const field = form.current.elements.namedItem(name)
      if (field instanceof HTMLInputElement || field instanceof HTMLSelectElement) field.value = value
    }
    setRestored(true)
  }, [uid, form, keeps])
  return {
    restored,
    keep: (element: HTMLFormElement) => {
      if (keeps) keepDraft(uid, draftOf(new FormData(element), learner))
    },
    forget: () => {
      forgetSettingsDraft()
      setRestored(false)
    },
  }
}

/** @returns null where there is none, or another learner's. */
export function readDraft(uid: string): Draft | null {
  try {
    const kept: Kept | null = JSON.parse(localStorage.getItem(draftKey) ?? 'null')
    return kept?.uid === uid ? kept.draft : null
  } catch {
    return null
  }
}

/** If storage is full or forbidden, a draft is lost when its tab closes. */
export function keepDraft(uid: string, draft: Draft): void {
  try {
    if (Object.keys(draft).length === 0) forgetSettingsDraft()
    else localStorage.setItem(draftKey, JSON.stringify({ uid, draft } satisfies Kept))
  } catch {}
}
