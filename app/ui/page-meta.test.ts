import { describe, expect, test } from 'vitest'
import { pageMeta } from './page-meta'

const matches = [{ id: 'root', loaderData: { origin: 'https://learn.example' } }, undefined]
const page = { title: 'Courses', description: 'Every course.', path: '/AllCourses', matches }

describe('pageMeta', () => {
  test('the title ends with the name of the product', () => {
    expect(pageMeta(page)).toContainEqual({ title: 'Courses · Learnify' })
  })

  test('a page without a title of its own is called Learnify', () => {
    expect(pageMeta({ ...page, title: undefined })).toContainEqual({ title: 'Learnify' })
  })

  test('the canonical address and the picture are absolute', () => {
    const meta = pageMeta(page)

    expect(meta).toContainEqual({
      tagName: 'link',
      rel: 'canonical',
      href: 'https://learn.example/AllCourses',
    })

    expect(meta).toContainEqual({ property: 'og:image', content: 'https://learn.example/og.png' })
  })

  test('a school of its own name or logo is not shared with the picture of Learnify', () => {
    const of = (brand: object) => {
      const loaderData = { origin: 'https://learn.example', brand: { name: 'Learnify', ...brand } }
      return JSON.stringify(pageMeta({ ...page, matches: [{ id: 'root', loaderData }] }))
    }
    expect(of({})).toContain('/og.png')

    for (const brand of [{ name: 'Chess' }, { logo: { address: '/brand/logo.png' } }]) {
      expect(of(brand)).not.toContain('og:image')
    }

    expect(of({ name: 'Chess', sharePicture: '/brand/share.jpg' })).toContain(
      'https://learn.example/brand/share.jpg',
    )
  })

  test('a page without an address of its own is kept out of search engines', () => {
    const meta = pageMeta({ ...page, path: null })

    expect(meta).toContainEqual({ name: 'robots', content: 'noindex' })
    expect(JSON.stringify(meta)).not.toContain('canonical')
  })
})
