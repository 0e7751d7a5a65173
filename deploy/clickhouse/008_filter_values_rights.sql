-- The views that fill filter_values read and write with the rights of the user of the migrations,
-- whoever inserts results. A view without SQL SECURITY has the rights of the user who inserts (the server
-- setting ignore_empty_sql_security_in_create_view_query is on by default), and the loader may not read
-- results.

ALTER TABLE filter_values_httpget MODIFY DEFINER = '${user}' SQL SECURITY DEFINER;
ALTER TABLE filter_values_httppost MODIFY DEFINER = '${user}' SQL SECURITY DEFINER;
ALTER TABLE filter_values_dns MODIFY DEFINER = '${user}' SQL SECURITY DEFINER;
ALTER TABLE filter_values_netflix MODIFY DEFINER = '${user}' SQL SECURITY DEFINER;
ALTER TABLE filter_values_ping MODIFY DEFINER = '${user}' SQL SECURITY DEFINER;
ALTER TABLE filter_values_jitter MODIFY DEFINER = '${user}' SQL SECURITY DEFINER;
ALTER TABLE filter_values_latency MODIFY DEFINER = '${user}' SQL SECURITY DEFINER;
ALTER TABLE filter_values_webget MODIFY DEFINER = '${user}' SQL SECURITY DEFINER;
ALTER TABLE filter_values_youtube MODIFY DEFINER = '${user}' SQL SECURITY DEFINER;
ALTER TABLE filter_values_network_usage MODIFY DEFINER = '${user}' SQL SECURITY DEFINER;
ALTER TABLE filter_values_traceroute MODIFY DEFINER = '${user}' SQL SECURITY DEFINER;
ALTER TABLE filter_values_mobile_download MODIFY DEFINER = '${user}' SQL SECURITY DEFINER;
ALTER TABLE filter_values_mobile_latency MODIFY DEFINER = '${user}' SQL SECURITY DEFINER;
ALTER TABLE filter_values_mobile_upload MODIFY DEFINER = '${user}' SQL SECURITY DEFINER;
ALTER TABLE filter_values_mobile_www MODIFY DEFINER = '${user}' SQL SECURITY DEFINER;
ALTER TABLE filter_values_mobile_youtube MODIFY DEFINER = '${user}' SQL SECURITY DEFINER;
