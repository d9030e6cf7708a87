import { type RefObject, useEffect, useState } from 'react'
import type { SessionUser } from '../session/session-user'

const prefix = 'settings-draft'
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

/**
 * What was typed into the settings and not saved yet: it survives a closed tab, and is nobody else's. A photo cannot be
 * kept.
 *
 * @returns `restored` once an earlier visit's was filled in.
 */
export function useSettingsDraft(learner: SessionUser, form: RefObject<HTMLFormElement | null>) {
  const key = `${prefix} ${learner.uid}`
  const [restored, setRestored] = useState(false)
  useEffect(() => {
    const draft = read(key)
    if (!draft || !form.current) return
    for (const [name, value] of Object.entries(draft)) {
      const field = form.current.elements.namedItem(name)
      if (field instanceof HTMLInputElement || field instanceof HTMLSelectElement) field.value = value
    }
    setRestored(true)
  }, [key, form])
  return {
    restored,
    keep: (element: HTMLFormElement) => write(key, draftOf(new FormData(element), learner)),
    forget: () => {
      write(key, {})
      setRestored(false)
    },
  }
}

/** For use after an account was deleted. */
export function forgetSettingsDraft(uid: string): void {
  write(`${prefix} ${uid}`, {})
}

function read(key: string): Draft | null {
  try {
    return JSON.parse(localStorage.getItem(key) ?? 'null')
  } catch {
    return null
  }
}

/** If storage is full or forbidden, a draft is lost when its tab closes. */
function write(key: string, draft: Draft): void {
  try {
    if (Object.keys(draft).length === 0) localStorage.removeItem(key)
    else localStorage.setItem(key, JSON.stringify(draft))
  } catch {}
}
