/** The fixed sample of `/OneCourse` without a parameter: outside the catalogue, but searches find it. */
export const featuredCourse = 'complete-web-development'
