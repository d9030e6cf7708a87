import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { archiveName, archiveTime, listOutdated, parseRetentionRule, type RetentionRule } from './retention.server'

const dayMs = 24 * 60 * 60_000
const nightly = (count: number, last = Date.UTC(2026, 10, 22, 3)) =>
  Array.from({ length: count }, (_, index) => new Date(last - index * dayMs))
const days = (moments: Date[]) => moments.map((moment) => moment.toISOString().slice(0, 10))
const retainedBy = (moments: Date[], rule: RetentionRule) => {
  const outdated = new Set(listOutdated(moments, rule))
  return moments.filter((moment) => !outdated.has(moment))
}

const moment = fc.date({ min: new Date('2020-01-01'), max: new Date('2030-01-01'), noInvalidDate: true })
const moments = fc.uniqueArray(moment, { maxLength: 60, selector: Number })
const rule = fc.record(
  { d: fc.nat(10), w: fc.nat(6), m: fc.nat(12), y: fc.nat(3) },
  { requiredKeys: ['d'] },
) as fc.Arbitrary<RetentionRule>

describe('which backups are kept', () => {
  it('a year of nightly ones leaves seven days, four weeks and six months', () => {
    expect(days(retainedBy(nightly(365), { d: 7, w: 4, m: 6 }))).toEqual([
      '2026-11-22',
      '2026-11-21',
      '2026-11-20',
      '2026-11-19',
      '2026-11-18',
      '2026-11-17',
      '2026-11-16',
      '2026-11-15',
      '2026-11-08',
      '2026-11-01',
      '2026-10-31',
      '2026-09-30',
      '2026-08-31',
      '2026-07-31',
      '2026-06-30',
    ])
  })

  it('the newest always stays', () => {
    fc.assert(
      fc.property(moments, rule, (all, by) => {
        const newest = all.toSorted((one, other) => Number(other) - Number(one))[0]
        expect(listOutdated(all, by)).not.toContain(newest)
      }),
    )
  })

  it('as many stay as there are periods with a backup, up to the number of the rule', () => {
    fc.assert(
      fc.property(moments, fc.integer({ min: 1, max: 10 }), (all, d) => {
        const withOne = new Set(days(all)).size
        expect(retainedBy(all, { d })).toHaveLength(Math.min(withOne, d))
      }),
    )
  })

  it('applying a rule night after night keeps what applying it once would', () => {
    fc.assert(
      fc.property(moments, rule, (all, by) => {
        let kept: Date[] = []
        for (const next of all.toSorted((one, other) => Number(one) - Number(other)))
          kept = retainedBy([...kept, next], by)
        expect(kept).toEqual(retainedBy(all, by).toSorted((one, other) => Number(one) - Number(other)))
      }),
    )
  })

  it('a rule that keeps more keeps what one that keeps less does', () => {
    fc.assert(
      fc.property(moments, rule, (all, by) => {
        const more = retainedBy(all, { ...by, d: (by.d ?? 0) + 1 })
        for (const one of retainedBy(all, by)) expect(more).toContain(one)
      }),
    )
  })
})

describe('a rule', () => {
  it('is numbers with the letters of days, weeks, months and years', () => {
    expect(parseRetentionRule('7d4w6m')).toEqual({ d: 7, w: 4, m: 6 })
    expect(parseRetentionRule('1y')).toEqual({ y: 1 })
  })

  it.each(['', '7', 'd', '7x', '7d7d', '0d', '-1d', '7d 4w'])('%j is none', (text) => {
    expect(parseRetentionRule(text)).toBeNull()
  })
})

describe('an archive’s name', () => {
  it('says when it was begun, to the second', () => {
    fc.assert(
      fc.property(moment, (at) => {
        const seconds = Math.floor(Number(at) / 1000) * 1000
        expect(archiveTime(archiveName(at))).toEqual(new Date(seconds))
      }),
    )
  })

  it.each([
    'learnify-2026-11-22T031500Z.tar.gz.age.old',
    'copy of learnify-2026-11-22T031500Z.tar.gz.age',
    'learnify-2026-02-31T031500Z.tar.gz.age',
    'learnify-2026-11-22.tar.gz.age',
    'database',
  ])('%s is somebody else’s file', (name) => {
    expect(archiveTime(name)).toBeNull()
  })
})
