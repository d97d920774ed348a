-- Which platforms the data cover: tools, tools that answered, ends of verified links, and uses in shipped examples.
FROM platform_coverage();
