import type { FooterColumn } from './brand'

/** Links without a page are placeholder anchors, as in the specification. */
export const footerColumns = (name: string): readonly FooterColumn[] => [
  {
    title: 'Learn',
    links: [
      ['All courses', '/AllCourses'],
      ['Sample course', '/OneCourse'],
      ['Your profile', '/Profile'],
    ],
  },
  {
    title: 'Teach',
    links: [
      ['Become an instructor', '/Instructor'],
      ['Teaching guide', '#'],
      ['Community', '#'],
    ],
  },
  {
    title: name,
    links: [
      ['About', '#'],
      ['Help', '#'],
      ['Privacy', '/Privacy'],
      ['Terms', '/Terms'],
    ],
  },
]
